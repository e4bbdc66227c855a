import { afterEach, expect, it, vi } from "vitest";
import { elementById } from "../dom/elements.ts";
import { openSamplePage } from "../testing/sample-page.ts";
import { chartControlElements, showsCharts } from "./chart-control-elements.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each(["index.html", "compare.html"] as const)(
  "a page without charts has nothing that works them: %s",
  (page) => {
    openSamplePage(page);
    const areHidden = () =>
      Object.values(chartControlElements()).map((control) => control.closest("[hidden]") !== null);
    expect(showsCharts(new URLSearchParams("charts=1"))).toBe(true);
    expect(areHidden()).toEqual([false, false, false]);
    expect(showsCharts(new URLSearchParams("charts=0"))).toBe(false);
    expect(areHidden()).toEqual([true, true, true]);
    expect(elementById("late", HTMLElement).closest("[hidden]")).toBeNull();
  },
);
