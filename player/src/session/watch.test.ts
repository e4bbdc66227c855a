import { signal } from "@preact/signals-core";
import { afterEach, expect, test, vi } from "vitest";
import { watch, watchNews } from "./watch.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a callback that throws is reported, and keeps no other from being called", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const path = signal("http");
  const seen: string[] = [];
  watch(path, () => {
    throw new Error("a bug of the page");
  });
  watch(path, (value) => seen.push(value));
  path.value = "webtransport";
  expect(seen).toEqual(["http", "webtransport"]);
  expect(reported).toHaveBeenCalledTimes(2);
});

test("news begin with the next value, leave null out, and end when they are ended", () => {
  const estimate = signal<number | null>(1);
  const seen: number[] = [];
  const end = watchNews(estimate, (value) => seen.push(value));
  for (const value of [2, null, 3]) {
    estimate.value = value;
  }
  end();
  estimate.value = 4;
  expect(seen).toEqual([2, 3]);
});

test("what a callback reads of other signals does not call it again", () => {
  const [path, estimate] = [signal("http"), signal(1)];
  const callback = vi.fn(() => estimate.value);
  watch(path, callback);
  estimate.value = 2;
  expect(callback).toHaveBeenCalledOnce();
});
