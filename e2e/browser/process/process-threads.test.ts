import { expect, test } from "vitest";
import { parseSchedstat } from "./process-threads.ts";

test("a thread's line has nanoseconds on a processor, of waiting, and a count", () => {
  expect(parseSchedstat("2000000000 500000000 17\n")).toEqual([2, 0.5]);
});

test("a thread that has ended says nothing", () => {
  expect(parseSchedstat("")).toEqual([]);
});
