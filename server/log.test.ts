import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLog, headFor, headForJournal, headWithTime } from "./log.ts";
import { temporaryFolder } from "./sample-app.ts";

test("a line has time, level and message; what is less severe than the level is dropped", () => {
  const lines: string[] = [];
  const log = createLog(
    "warn",
    (line) => lines.push(line),
    headWithTime(() => new Date("2030-01-02T03:04:05.678Z")),
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

test("the journal is told the priority of each line, and no time", () => {
  const lines: string[] = [];
  const log = createLog("debug", (line) => lines.push(line), headForJournal);
  log.error("one");
  log.warn("<0>two");
  log.info("three");
  log.debug("four");
  expect(lines).toEqual(["<3>error one\n", "<4>warn  <0>two\n", "<6>info  three\n", "<7>debug four\n"]);
});

test("the journal is known by its stream: whose output goes elsewhere gets the time", () => {
  const descriptor = openSync(join(temporaryFolder(), "log"), "w");
  onTestFinished(() => closeSync(descriptor));
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  expect(headFor(descriptor, { JOURNAL_STREAM: `${dev}:${ino}` })).toBe(headForJournal);
  for (const environment of [{}, { JOURNAL_STREAM: `${dev}:${ino + 1n}` }])
    expect(headFor(descriptor, environment)("warn")).toMatch(/^20\d\d-.*Z warn {2}$/);
});
