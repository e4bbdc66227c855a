import { atom } from "nanostores";
import { afterEach, expect, test, vi } from "vitest";
import { watch, watchNews } from "./watch.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a callback that throws is reported, and keeps no other from being called", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const path = atom("http");
  const seen: string[] = [];
  watch(path, () => {
    throw new Error("a bug of the page");
  });
  watch(path, (value) => seen.push(value));
  path.set("webtransport");
  expect(seen).toEqual(["http", "webtransport"]);
  expect(reported).toHaveBeenCalledTimes(2);
});

test("news begin with the next value, leave null out, and end when they are ended", () => {
  const estimate = atom<number | null>(1);
  const seen: number[] = [];
  const end = watchNews(estimate, (value) => seen.push(value));
  for (const value of [2, null, 3]) {
    estimate.set(value);
  }
  end();
  estimate.set(4);
  expect(seen).toEqual([2, 3]);
});

test("a callback that sets the value has returned before it is called with it, and others hear the newest once", () => {
  const path = atom("http");
  const calls: string[] = [];
  watch(path, (value) => {
    calls.push(`${value} begins`);
    if (value === "webtransport") path.set("connecting");
    calls.push(`${value} ends`);
  });
  const seen: string[] = [];
  watch(path, (value) => seen.push(value));
  path.set("webtransport");
  expect(calls).toEqual([
    "http begins",
    "http ends",
    "webtransport begins",
    "webtransport ends",
    "connecting begins",
    "connecting ends",
  ]);
  expect(seen).toEqual(["http", "connecting"]);
});

test("callbacks may end others, and begin to watch: each value is heard once", () => {
  const estimate = atom(1);
  const [ended, begun] = [vi.fn(), vi.fn()];
  watch(estimate, (value) => {
    if (value === 2) {
      end();
      watch(estimate, begun);
    }
  });
  const end = watch(estimate, ended);
  estimate.set(2);
  expect(ended.mock.calls).toEqual([[1]]);
  expect(begun.mock.calls).toEqual([[2]]);
});

test("a value that is set to what it is, or back to what was told, is no news", () => {
  const kind = atom("http");
  const seen = vi.fn();
  watch(kind, () => {
    if (kind.get() === "connecting") kind.set("http");
  });
  watch(kind, seen);
  kind.set("http");
  kind.set("connecting");
  expect(seen.mock.calls).toEqual([["http"]]);
  expect(kind.get()).toBe("http");
});
