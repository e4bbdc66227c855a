import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("a line has time, level and message; what is less severe than the level is dropped", () => {
  const lines: string[] = [];
  const log = createLog(
    "warn",
    (line) => lines.push(line),
    () => new Date("2030-01-02T03:04:05.678Z"),
  );
  log.error("one");
  log.warn("two\nthree");
  log.info("four");
  log.debug("five");
  expect(lines).toEqual([
    "2030-01-02T03:04:05.678Z error one\n",
    "2030-01-02T03:04:05.678Z warn  two\\nthree\n",
  ]);
});
