import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSamplePage } from "../testing/sample-page.ts";
import { openDialog } from "./dialog.ts";

let window: ReturnType<typeof openSamplePage>;
let dialog: HTMLDialogElement;

beforeEach(() => {
  window = openSamplePage("index.html");
  dialog = openDialog("Keys", ["Some."]);
  const place = { left: 100, right: 300, top: 50, bottom: 250 };
  dialog.getBoundingClientRect = () => place as DOMRect;
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function click(clientX: number, clientY: number): void {
  dialog.dispatchEvent(new window.MouseEvent("click", { clientX, clientY }) as unknown as Event);
}

it("stays open when its blank space is clicked", () => {
  click(110, 60);
  expect(dialog.open).toBe(true);
});

it.each([
  [90, 60],
  [110, 260],
])("is closed by a click beside it, at %i, %i", (x, y) => {
  click(x, y);
  expect(document.querySelector("dialog")).toBeNull();
});

it("is closed by its button", () => {
  dialog.querySelector("button")?.click();
  expect(document.querySelector("dialog")).toBeNull();
});
