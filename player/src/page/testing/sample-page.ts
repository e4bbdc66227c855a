import { readFileSync } from "node:fs";
import { Window } from "happy-dom";
import { vi } from "vitest";

const PLAYER = new URL("../../../", import.meta.url);

/** For tests: one of the player's pages, without its script, behind the globals that the page's code uses. */
export function openSamplePage(name: "index.html" | "compare.html" | "sessions.html" | "bulk.html"): Window {
  const window = new Window({ url: "http://localhost:8080/" });
  window.document.write(readFileSync(new URL(name, PLAYER), "utf8").replaceAll(/<script.*?<\/script>/gs, ""));
  const {
    document,
    HTMLElement,
    HTMLAnchorElement,
    HTMLButtonElement,
    HTMLInputElement,
    HTMLOptGroupElement,
    HTMLSelectElement,
    HTMLVideoElement,
    ResizeObserver,
  } = window;
  const globals = {
    document,
    HTMLElement,
    HTMLAnchorElement,
    HTMLButtonElement,
    HTMLInputElement,
    HTMLOptGroupElement,
    HTMLSelectElement,
    HTMLVideoElement,
    ResizeObserver,
    Option: optionOf(window),
  };
  for (const [global, value] of Object.entries(globals)) {
    vi.stubGlobal(global, value);
  }
  return window;
}

/** happy-dom has no `Option`. */
function optionOf({ document }: Window) {
  return function Option(text: string, value: string, _isDefault = false, isSelected = false) {
    return Object.assign(document.createElement("option"), { text, value, selected: isSelected });
  };
}
