import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Counts what ran, and of each failure its test and the beginning of its error */

/** How many characters of an error are told again in the end: enough for what was expected and what came. */
const errorLength = 1500;

/**
 * @typedef {object} VitestReport the members that are read
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ name: string, status: string, message?: string, assertionResults: { status: string, fullName?: string, failureMessages?: string[] }[] }[]} testResults
 */

/**
 * @typedef {object} PlaywrightReport the members that are read
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {{ message?: string }[]} errors
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, tests: { status: string, results: { errors: { message?: string }[] }[] }[] }[]} [specs]
 */

/**
 * Counts of a vitest JSON report; a file that could not be loaded counts as one failure.
 * @param {string} file
 * @returns {Counts} zeros when there is no report
 */
export function readVitestReport(file) {
  const report = /** @type {VitestReport | null} */ (read(file));
  if (report === null) return nothing();
  const unloaded = report.testResults.filter(
    (result) => result.status === 'failed' && result.assertionResults.every((one) => one.status !== 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...report.testResults.flatMap((file) =>
        file.assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => failure(`${file.name} › ${test.fullName ?? ''}`, test.failureMessages ?? [])),
      ),
      ...unloaded.map((file) => failure(file.name, [file.message ?? ''])),
    ],
  };
}

/**
 * Counts of a Playwright JSON report; a test that passed only when repeated counts as failed.
 * @param {string} file
 * @returns {Counts} zeros when there is no report
 */
export function readPlaywrightReport(file) {
  const report = /** @type {PlaywrightReport | null} */ (read(file));
  if (report === null) return nothing();
  const { expected, unexpected, flaky, skipped } = report.stats;
  return {
    passed: expected,
    failed: unexpected + flaky + report.errors.length,
    skipped,
    failures: [
      ...(report.suites ?? []).flatMap(failuresIn),
      ...report.errors.map((error) => failure('outside of tests', [error.message ?? ''])),
    ],
  };
}

/** @returns {Counts} */
function nothing() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {string[]}
 */
function failuresIn(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) =>
        failure(
          `${spec.file} › ${spec.title}`,
          test.results.flatMap((result) => result.errors.map((error) => error.message ?? '')),
        ),
      ),
  );
  return [...own, ...(suite.suites ?? []).flatMap(failuresIn)];
}

/**
 * @param {string} test
 * @param {readonly string[]} errors
 */
function failure(test, errors) {
  const told = stripVTControlCharacters(errors.join('\n')).slice(0, errorLength).trim();
  return `${test}\n${told.replaceAll(/^/gmu, '    ')}`;
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
