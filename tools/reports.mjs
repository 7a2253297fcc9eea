import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { inRoot } from './folders.mjs';

/**
 * The outcome of a test, or of what surrounds it: a file that could not be loaded, a hook, an error outside of tests.
 * @typedef {object} Outcome
 * @property {string} file path from the root; empty where no file is to blame
 * @property {string} title
 * @property {'passed' | 'failed' | 'flaky' | 'skipped'} state flaky is what failed once and passed once
 * @property {string} error how it failed, the first time; empty where it did not
 * @property {boolean} isTest
 */

/**
 * @typedef {object} Report
 * @property {Outcome[]} outcomes
 * @property {Record<string, number>} times milliseconds of each file
 */

/** How many characters of an error are shown at the end: enough for the expected and the actual value. */
const errorLength = 1500;

/**
 * @typedef {object} PlaywrightReport the members that are read
 * @property {{ message?: string }[]} errors
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSuite[]} [suites]
 * @property {{ title: string, file: string, tests: { status: string, results: { duration: number, errors: { message?: string }[] }[] }[] }[]} [specs]
 */

/**
 * The outcome of each vitest test.
 * @param {string} file
 * @returns {Report} empty if there is none
 */
export function readVitestReport(file) {
  return /** @type {Report | null} */ (read(file)) ?? { outcomes: [], times: {} };
}

/**
 * An error of vitest as it is shown at the end: its message, the places in the repository, what differs, and its cause, which
 * is what broke a property.
 * @typedef {{ message: string, stack?: string | undefined, diff?: unknown, cause?: unknown }} Failure
 * @param {Failure} failure
 * @returns {string}
 */
export function errorText({ message, stack, diff, cause }) {
  const lines = (stack ?? message)
    .split('\n')
    .filter((line) => !/^\s+at (?:.*(?:node_modules\/|node:)|new Promise)/.test(line));
  if (typeof diff === 'string') lines.push(diff);
  if (cause instanceof Object && 'message' in cause) {
    lines.push(`Caused by: ${errorText(/** @type {Failure} */ (cause))}`);
  }
  return lines.join('\n');
}

/**
 * The outcome of each Playwright test. Playwright retries failures.
 * @param {string} file
 * @returns {Report} empty if there is none
 */
export function readPlaywrightReport(file) {
  const report = /** @type {PlaywrightReport | null} */ (read(file));
  /** @type {Report['times']} */
  const times = {};
  if (report === null) return { outcomes: [], times };
  const outcomes = [
    ...specsOf(report.suites).flatMap(outcomesOf),
    ...report.errors.map(({ message = '' }) => ({
      file: '',
      title: 'outside of tests',
      state: /** @type {const} */ ('failed'),
      error: message,
      isTest: false,
    })),
  ];
  for (const spec of specsOf(report.suites)) {
    const file = `e2e/tests/${spec.file}`;
    const took = spec.tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    times[file] = took.reduce((sum, ms) => sum + ms, times[file] ?? 0);
  }
  return { outcomes, times };
}

/**
 * @param {readonly PlaywrightSuite[]} [suites]
 * @returns {NonNullable<PlaywrightSuite['specs']>}
 */
function specsOf(suites = []) {
  return suites.flatMap((suite) => [...(suite.specs ?? []), ...specsOf(suite.suites)]);
}

/**
 * @param {NonNullable<PlaywrightSuite['specs']>[number]} spec
 * @returns {Outcome[]}
 */
function outcomesOf({ file, title, tests }) {
  return tests.map(({ status, results }) => ({
    file: `e2e/tests/${file}`,
    title,
    state: /** @type {Outcome['state']} */ (
      status === 'expected' ? 'passed' : status === 'unexpected' ? 'failed' : status
    ),
    error: (results[0]?.errors ?? []).map(({ message = '' }) => message).join('\n'),
    isTest: true,
  }));
}

/**
 * Merges a second run of some files into the first. A test that failed in one run and passed in the other is flaky. A
 * property that failed in either run has failed, because the other run tried other values.
 * @param {readonly Outcome[]} first
 * @param {readonly Outcome[]} second
 * @returns {Outcome[]}
 */
export function mergeRuns(first, second) {
  const files = new Set(second.map(({ file }) => file));
  const merged = byPlace(first);
  const again = byPlace(second);
  for (const [place, before] of merged) {
    // A report contains a hook only if it failed.
    if (files.has(before.file) && !before.isTest && !again.has(place)) {
      merged.set(place, { ...before, state: 'flaky' });
    }
  }
  for (const [place, after] of again) {
    const before = merged.get(place);
    if (before === undefined || before.state === 'skipped') merged.set(place, after);
    else if (before.state !== after.state && after.state !== 'skipped') {
      const failure = before.state === 'failed' ? before : after;
      merged.set(place, isProperty(failure) ? failure : { ...failure, state: 'flaky' });
    }
  }
  return [...merged.values()];
}

/**
 * Where a run spent its time: the 15 slowest files, then its stages.
 * @param {Report['times']} times
 * @param {readonly { name: string, ms: number }[]} stages
 * @returns {string}
 */
export function timeLines(times, stages) {
  const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;
  const slowest = Object.entries(times)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 15);
  return [
    ...(slowest.length > 0 ? ['Slowest files:'] : []),
    ...slowest.map(([file, ms]) => `${seconds(ms).padStart(9)}  ${file}`),
    `Time: ${stages.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}\n`,
  ].join('\n');
}

/**
 * The last lines of a run: flaky tests, failures with how to run them again, and the totals.
 * @param {readonly Outcome[]} outcomes
 * @param {readonly string[]} troubles failures outside tests
 * @returns {string}
 */
export function lastLines(outcomes, troubles) {
  const tests = outcomes.filter(({ isTest }) => isTest);
  const failed = outcomes.filter(({ state }) => state === 'failed');
  const passed = tests.filter(({ state }) => state === 'passed' || state === 'flaky').length;
  const skipped = tests.filter(({ state }) => state === 'skipped').length;
  // A shell expands the `$` in the paths of screens.
  const again = new Set(failed.map(({ file }) => (file.includes('$') ? `'${file}'` : file)).filter(Boolean));
  return [
    ...outcomes.filter(({ state }) => state === 'flaky').map((outcome) => `flaky: ${withError(outcome)}`),
    ...failed.map((outcome) => `✗ ${withError(outcome)}`),
    ...troubles.map((trouble) => `✗ ${trouble}`),
    ...(again.size > 0 ? [`Run again what failed: npm test -- ${[...again].join(' ')}`] : []),
    `${passed} passed, ${failed.length} failed, ${skipped} skipped\n`,
  ].join('\n');
}

/**
 * @param {readonly Outcome[]} outcomes
 * @returns {Map<string, Outcome>} by file and title, and by order for equal titles
 */
function byPlace(outcomes) {
  /** @type {Map<string, Outcome>} */
  const map = new Map();
  for (const outcome of outcomes) {
    let place = `${outcome.file} › ${outcome.title} ${outcome.isTest}`;
    while (map.has(place)) place += ' again';
    map.set(place, outcome);
  }
  return map;
}

/**
 * Whether a failure is, or may be, a property's. The error of a property that takes too long doesn't say so.
 * @param {Outcome} outcome
 */
function isProperty({ file, error }) {
  return (
    /\bProperty (?:failed after|interrupted)/.test(error) ||
    (error.includes('Test timed out') && fs.readFileSync(inRoot(file), 'utf8').includes('fast-check'))
  );
}

/** @param {Outcome} outcome */
function withError({ file, title, error }) {
  const where = [file, title].filter((part) => part !== '').join(' › ');
  const text = stripVTControlCharacters(error).slice(0, errorLength).trim();
  return `${where}\n${text.replaceAll(/^/gmu, '    ')}`;
}

/**
 * @param {string} file
 * @returns {unknown} null if there is none
 */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
