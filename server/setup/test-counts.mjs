/** @typedef {{passed: number, failed: number, skipped: number}} TestCounts */

/** @type {TestCounts} */
export const NO_TESTS = { passed: 0, failed: 0, skipped: 0 };

/**
 * Counts in pytest's JUnit report.
 *
 * @param {string} xml
 * @returns {TestCounts}
 */
export function countsOfPytest(xml) {
  const suite = /<testsuite\s[^>]*>/.exec(xml)?.[0] ?? "";
  /** @param {string} name */
  const attribute = (name) => {
    const value = new RegExp(`\\s${name}="(\\d+)"`).exec(suite)?.[1];
    if (value === undefined) throw new Error(`pytest's report has no attribute ${name} in its testsuite`);
    return Number(value);
  };
  const failed = attribute("failures") + attribute("errors");
  const skipped = attribute("skipped");
  return { passed: attribute("tests") - failed - skipped, failed, skipped };
}

/**
 * Counts in vitest's JSON report.
 *
 * @param {string} json
 * @returns {TestCounts}
 */
export function countsOfVitest(json) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(json);
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

/**
 * @param {TestCounts} one
 * @param {TestCounts} other
 * @returns {TestCounts}
 */
export function addCounts(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

/**
 * The last line of `npm test`.
 *
 * @param {TestCounts} counts
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
