import { expect, test } from "vitest";
import { addCounts, closingLine, countsOfPytest, countsOfVitest } from "./counts.ts";

test("pytest's report: errors count as failed, and passed is what remains", () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest"
    errors="1" failures="2" skipped="3" tests="20" time="0.1"><testcase name="skipped=9"/></testsuite></testsuites>`;
  expect(countsOfPytest(xml)).toEqual({ passed: 14, failed: 3, skipped: 3 });
});

test("a report that is not pytest's is refused", () => {
  expect(() => countsOfPytest("<html>")).toThrow(
    "pytest's report has no attribute failures in its testsuite",
  );
});

test("vitest's report: tests still to be written count as skipped", () => {
  const json =
    '{"numTotalTests":9,"numPassedTests":5,"numFailedTests":1,"numPendingTests":2,"numTodoTests":1}';
  expect(countsOfVitest(json)).toEqual({ passed: 5, failed: 1, skipped: 3 });
});

test("counts add up to the closing line", () => {
  const sum = addCounts({ passed: 14, failed: 3, skipped: 0 }, { passed: 5, failed: 1, skipped: 0 });
  expect(closingLine(sum)).toBe("19 passed, 4 failed");
  expect(closingLine({ ...sum, skipped: 2 })).toBe("19 passed, 4 failed, 2 skipped");
});
