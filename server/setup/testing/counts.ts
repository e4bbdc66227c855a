export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_TESTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Counts in pytest's JUnit report. */
export function countsOfPytest(xml: string): TestCounts {
  const suite = /<testsuite\s[^>]*>/.exec(xml)?.[0] ?? "";
  const attribute = (name: string) => {
    const value = new RegExp(`\\s${name}="(\\d+)"`).exec(suite)?.[1];
    if (value === undefined) throw new Error(`pytest's report has no attribute ${name} in its testsuite`);
    return Number(value);
  };
  const failed = attribute("failures") + attribute("errors");
  const skipped = attribute("skipped");
  return { passed: attribute("tests") - failed - skipped, failed, skipped };
}

/** Counts in vitest's JSON report. */
export function countsOfVitest(json: string): TestCounts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(json);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

export function addCounts(one: TestCounts, other: TestCounts): TestCounts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/** The last line of `npm test`. */
export function closingLine({ passed, failed, skipped }: TestCounts) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
