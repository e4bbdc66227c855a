import { afterEach, expect, test, vi } from "vitest";
import { Store, watchNews } from "./store.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a callback that throws is reported, and keeps no other from being called", () => {
  const reported = vi.fn();
  vi.stubGlobal("reportError", reported);
  const path = new Store("http");
  const seen: string[] = [];
  path.watch(() => {
    throw new Error("a bug of the page");
  });
  path.watch((value) => seen.push(value));
  path.set("webtransport");
  expect(seen).toEqual(["http", "webtransport"]);
  expect(reported).toHaveBeenCalledTimes(2);
});

test("news begin with the next value, leave null out, and end when they are ended", () => {
  const estimate = new Store<number | null>(1);
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
  const path = new Store("http");
  const calls: string[] = [];
  path.watch((value) => {
    calls.push(`${value} begins`);
    if (value === "webtransport") path.set("connecting");
    calls.push(`${value} ends`);
  });
  const seen: string[] = [];
  path.watch((value) => seen.push(value));
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
  const estimate = new Store(1);
  const [ended, begun] = [vi.fn(), vi.fn()];
  estimate.watch((value) => {
    if (value === 2) {
      end();
      estimate.watch(begun);
    }
  });
  const end = estimate.watch(ended);
  estimate.set(2);
  expect(ended.mock.calls).toEqual([[1]]);
  expect(begun.mock.calls).toEqual([[2]]);
});

test("a value that is set to what it is, or back to what was told, is no news", () => {
  const kind = new Store("http");
  const seen = vi.fn();
  kind.watch(() => {
    if (kind.get() === "connecting") kind.set("http");
  });
  kind.watch(seen);
  kind.set("http");
  kind.set("connecting");
  expect(seen.mock.calls).toEqual([["http"]]);
  expect(kind.get()).toBe("http");
});
