// Counts what a test run did, from vitest's JSON report; never reports success that the exit code denies.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** @typedef {{ status: string, assertionResults: readonly { status: string }[] }} FileResult */

/**
 * Tests by outcome. A file that broke outside any test counts as one failure, and so does a run that failed otherwise.
 *
 * @param {{ testResults: readonly FileResult[] }} report
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countResults({ testResults }, exitCode) {
  const tests = testResults.flatMap((file) => file.assertionResults.map((test) => test.status));
  const count = (/** @type {(status: string) => boolean} */ matches) =>
    tests.filter(matches).length;
  const passed = count((status) => status === "passed");
  const failedTests = count((status) => status === "failed");
  const failed = failedTests + testResults.filter(brokeOutsideTests).length;
  const skipped = tests.length - passed - failedTests;
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

/**
 * The sum of several runs.
 *
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function addCounts(all) {
  return all.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** @param {FileResult} file */
function brokeOutsideTests(file) {
  return (
    file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed")
  );
}
