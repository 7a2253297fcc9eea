import fs from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @typedef {object} VitestReport the members that are read
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * @typedef {object} PlaywrightReport the members that are read
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} errors
 */

/**
 * Counts of a vitest JSON report; a file that could not be loaded counts as one failure.
 * @param {string} file
 * @returns {Counts} zeros when there is no report
 */
export function readVitestReport(file) {
  const report = /** @type {VitestReport | null} */ (read(file));
  if (report === null) return { passed: 0, failed: 0, skipped: 0 };
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.every((one) => one.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * Counts of a Playwright JSON report; a test that passed only when repeated counts as failed.
 * @param {string} file
 * @returns {Counts} zeros when there is no report
 */
export function readPlaywrightReport(file) {
  const report = /** @type {PlaywrightReport | null} */ (read(file));
  if (report === null) return { passed: 0, failed: 0, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped };
}

/**
 * @param {string} file
 * @returns {unknown} null when there is none
 */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
