import { afterEach, expect, it, vi } from "vitest";
import { Palette } from "./palette.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  ["15px", 11],
  ["30px", 22],
])("writes in proportion to the page's text of %s: %d pixels", (fontSize, pixels) => {
  vi.stubGlobal("document", {
    documentElement: null,
    createElement: () => ({ getContext: () => ({}) }),
  });
  vi.stubGlobal("getComputedStyle", () => ({ fontSize, fontFamily: "serif" }));
  const palette = new Palette({} as Element);
  expect([palette.fontPixels, palette.font(), palette.font(2)]).toEqual([
    pixels,
    `${pixels}px serif`,
    `${2 * pixels}px serif`,
  ]);
});
