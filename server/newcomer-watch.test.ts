import { expect, test } from "vitest";
import { NewcomerWatch } from "./newcomer-watch.ts";

test("newcomers get in until the transport says otherwise", () => {
  const watch = new NewcomerWatch();
  expect(watch.getIn(1_000_000)).toBe(true);
  watch.hear(true, 1_000_000);
  expect(watch.getIn(1_001_000)).toBe(true);
  watch.hear(false, 1_002_000);
  expect(watch.getIn(1_002_000)).toBe(false);
});

test("a transport that has not said so for half a minute lets nobody in", () => {
  const watch = new NewcomerWatch();
  watch.hear(true, 0);
  expect(watch.getIn(30_000)).toBe(true);
  expect(watch.getIn(30_001)).toBe(false);
});
