import type { Window } from "happy-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { listenToKeys } from "./keyboard.ts";
import type { KeyAction } from "./keys.ts";

let act: ReturnType<typeof vi.fn<(action: KeyAction) => void>>;
let window: Window;

beforeEach(() => {
  window = openSamplePage("index.html");
  const html = '<dialog><input id="box" type="checkbox"></dialog><select id="menu"></select>';
  window.document.body.insertAdjacentHTML("beforeend", html);
  act = vi.fn<(action: KeyAction) => void>();
  listenToKeys(act);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function pressOn(id: string): void {
  document.getElementById(id)?.focus();
  const pressed = new window.KeyboardEvent("keydown", { key: "d", bubbles: true, cancelable: true });
  window.document.getElementById(id)?.dispatchEvent(pressed);
}

it("are the page's while a dialog that has closed still has the focus", () => {
  pressOn("box");
  expect(act.mock.calls).toEqual([[{ kind: "download" }]]);
});

it("are a menu's where that has the focus", () => {
  pressOn("menu");
  expect(act).not.toHaveBeenCalled();
});
