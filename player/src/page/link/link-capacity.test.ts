import { expect, it } from "vitest";
import { STEPS } from "../testing/sample-link.ts";
import { capacityAt, capacityOf } from "./link-capacity.ts";

const link = {
  ...STEPS,
  startedAtMs: 10_000,
  capacity: { binMs: 500, periodMs: 1500, bitsPerSecond: [1e6, 2e6, 3e6] },
};

it.each([
  [10_000, 1e6],
  [10_499, 1e6],
  [10_500, 2e6],
  [11_400, 3e6],
  [11_500, 1e6], // begins again
  [9_900, 3e6], // a page whose clock is behind the server's
])("knows the capacity at %i ms", (atMs, capacity) => {
  expect(capacityAt(link, atMs)).toBe(capacity);
});

it("knows none where nothing limits the rate", () => {
  expect(capacityAt(null, 0)).toBeNull();
  expect(capacityAt({ ...link, capacity: null }, 0)).toBeNull();
});

it("limits nothing that comes over HTTP", () => {
  const webtransport = { kind: "webtransport", reason: null } as const;
  const http = { kind: "http", reason: null } as const;
  expect(capacityOf({ path: webtransport, link, atMs: 1000 })).not.toBeNull();
  expect(capacityOf({ path: http, link, atMs: 1000 })).toBeNull();
});
