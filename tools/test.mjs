// npm test: check, unit and service tests, end-to-end tests; the last lines list failures and totals. `npm test --
// <words or paths>` runs the check and the matching tests, `npm run test:changed` the tests of a change.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inRoot, root } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

const { buildStale } = await import('./build.mjs');
const { ensureChromium } = await import('./chromium.mjs');
const { lastLines, mergeRuns, readPlaywrightReport, readVitestReport, timeLines } =
  await import('./reports.mjs');
const { isEndToEnd, serviceTests, testsMatching, testsOfChange } = await import('./selection.mjs');

// Each run has its own folder, because several may run in one working copy.
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-test-'));
process.on('exit', () => fs.rmSync(reports, { recursive: true, force: true }));
const playwrightReport = path.join(reports, 'playwright.json');
const vitestReport = path.join(reports, 'vitest.json');
/** @type {string[]} */
const troubles = [];

/** @type {{ name: string, ms: number }[]} */
const stages = [];
/** @type {import('./reports.mjs').Report['times']} */
const times = {};

const chosen = chooseTests(process.argv.slice(2));
const specs = chosen?.filter(isEndToEnd);
const others = chosen?.filter((file) => !isEndToEnd(file));
const chromium = specs?.length === 0 ? null : timed('browser', findBrowser);
const built = chromium !== null && timed('build', buildStale);
if (chromium !== null && !built) troubles.push('The build failed.');
if (!timed('check', () => run([inRoot('tools/check.mjs')])))
  troubles.push('The check failed: npm run check runs it again.');
const outcomes = others?.length === 0 ? [] : timed('unit and service tests', () => runVitest(others ?? []));
if (built) timed('end-to-end tests', runPlaywright);

// Repeated at the end, where people look first: the failures may be thousands of lines above.
process.stdout.write(timeLines(times, stages));
process.stdout.write(lastLines(outcomes, troubles));
process.exitCode = troubles.length > 0 || outcomes.some(isFailed) ? 1 : 0;

/**
 * @param {readonly string[]} args
 * @returns {string[] | undefined} paths from the root; undefined for all tests
 */
function chooseTests(args) {
  if (args.length === 0) return undefined;
  const isOfChange = args[0] === '--changed';
  const unknown = isOfChange ? args.slice(1) : args.filter((arg) => arg.startsWith('-'));
  if (unknown.length > 0)
    refuse(`Unknown argument: ${unknown.join(' ')}. docs/tests.md shows how to run tests.`);
  const { files, unmatched, shared } = isOfChange
    ? { unmatched: [], ...testsOfChange() }
    : { shared: [], ...testsMatching(args) };
  if (unmatched.length > 0) {
    refuse(`No test has this in its path or in a title, or imports it: ${unmatched.join(', ')}`);
  }
  const head =
    files.length === 0
      ? 'Runs the check; no test depends on the change.'
      : 'Runs the check and these test files:';
  process.stdout.write(`${[head, ...files].join('\n  ')}\n`);
  if (shared.length > 0) {
    process.stdout.write(
      `${['No end-to-end test is chosen for these, which belong to no screen; npm test runs all:', ...shared].join('\n  ')}\n`,
    );
  }
  return files;
}

/**
 * @param {string} reason
 * @returns {never}
 */
function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/**
 * @template T
 * @param {string} name
 * @param {() => T} stage
 * @returns {T}
 */
function timed(name, stage) {
  const began = performance.now();
  const result = stage();
  stages.push({ name, ms: performance.now() - began });
  return result;
}

function runPlaywright() {
  const isGood = run([
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    inRoot('e2e/playwright.config.ts'),
    '--reporter=list,json',
    ...(specs ?? []).map((file) => inRoot(file)),
  ]);
  const { outcomes: endToEnd, times: took } = readPlaywrightReport(playwrightReport);
  if (!isGood && !endToEnd.some(isFailed)) troubles.push('The end-to-end tests ended too early.');
  if (chosen === undefined && !endToEnd.some(hasRun)) troubles.push('No end-to-end test ran.');
  outcomes.push(...endToEnd);
  Object.assign(times, took);
}

/**
 * Runs unit and service tests, and repeats the files of failed service tests.
 * @param {readonly string[]} files all if empty
 */
function runVitest(files) {
  const first = runVitestOnce(files);
  if (chosen === undefined && !first.some(hasRun)) troubles.push('No unit or service test ran.');
  const failed = new Set(first.filter(isFailed).map(({ file }) => file));
  failed.delete('');
  const again = failed.size === 0 ? [] : serviceTests([...failed]);
  return again.length === 0 ? first : mergeRuns(first, runVitestOnce(again));
}

/** @param {readonly string[]} files all if empty */
function runVitestOnce(files) {
  fs.rmSync(vitestReport, { force: true });
  const isGood = run([
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    `--reporter=${inRoot('tools/vitest-report.mjs')}`,
    ...files.map((file) => inRoot(file)),
  ]);
  const { outcomes, times: took } = readVitestReport(vitestReport);
  for (const [file, ms] of Object.entries(took)) times[file] = ms + (times[file] ?? 0);
  if (!isGood && !outcomes.some(isFailed)) troubles.push('The unit and service tests ended too early.');
  return outcomes;
}

/** @param {import('./reports.mjs').Outcome} outcome */
function isFailed({ state }) {
  return state === 'failed';
}

/** @param {import('./reports.mjs').Outcome} outcome */
function hasRun({ isTest, state }) {
  return isTest && state !== 'skipped';
}

function findBrowser() {
  try {
    return ensureChromium();
  } catch (error) {
    troubles.push(String(error));
    return null;
  }
}

/**
 * Runs a script of the locked Node in the foreground.
 * @param {readonly string[]} args the script and its arguments
 * @returns {boolean} whether it succeeded
 */
function run(args) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 1, 2],
    env: {
      ...process.env,
      // React's production build has no test support.
      NODE_ENV: 'test',
      GATEHOUSE_CHROMIUM: chromium ?? '',
      GATEHOUSE_VITEST_REPORT: vitestReport,
      PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
    },
  });
  return status === 0;
}
