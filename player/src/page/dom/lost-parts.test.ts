import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { tellLostParts } from "./lost-parts.ts";
import { Notice } from "./notice.ts";

let notice: Notice;
const page = new EventTarget();

beforeEach(() => {
  vi.useFakeTimers();
  openSamplePage("index.html");
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  notice = new Notice(document.getElementById("notice") as HTMLElement);
  tellLostParts(notice);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("says why a part of the page does not come, after whoever asked for it, and offers to reload", () => {
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  page.dispatchEvent(new Event("vite:preloadError"));
  notice.show("Failed to fetch dynamically imported module.", "controls");
  vi.runAllTimers();
  expect(notice.text).toMatch(/^A part of this page does not come: /);
  document.querySelector<HTMLButtonElement>("#notice button")?.click();
  expect(reload).toHaveBeenCalledOnce();
});
