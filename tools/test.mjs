// npm test: check, unit and service tests, end-to-end tests; the last lines are what failed and the sum.
// `npm test -- <words or paths>` runs the check and the tests that match, `npm run test:changed` those of a change.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
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
const { isEndToEnd, testsMatching, testsOfChange } = await import('./selection.mjs');
const { vitestReport } = await import('./vitest-report.mjs');
const { isServiceTest } = await import('../vitest.config.ts');

const reports = inRoot('.cache', 'test');
fs.rmSync(reports, { recursive: true, force: true });
fs.mkdirSync(reports, { recursive: true });
const playwrightReport = `${reports}/playwright.json`;
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
if (!timed('check', () => run([inRoot('tools/check.mjs')]))) troubles.push('The check failed.');
const outcomes = others?.length === 0 ? [] : timed('unit and service tests', () => runVitest(others ?? []));
if (built) timed('end-to-end tests', runPlaywright);

// Said again at the end, where people look first: what failed may be thousands of lines above.
process.stdout.write(timeLines(times, stages));
process.stdout.write(lastLines(outcomes, troubles));
process.exitCode = troubles.length > 0 || outcomes.some(isFailed) ? 1 : 0;

/**
 * @param {readonly string[]} args
 * @returns {string[] | undefined} paths from the root; undefined for all tests
 */
function chooseTests(args) {
  if (args.length === 0) return undefined;
  const isChange = args[0] === '--changed';
  const unknown = isChange ? [] : args.filter((word) => testsMatching([word]).length === 0);
  if (unknown.length > 0) {
    process.stderr.write(`No test has ${unknown.join(' or ')} in its path or in a title.\n`);
    process.exit(1);
  }
  const { files, shared } = isChange ? testsOfChange() : { files: testsMatching(args), shared: [] };
  process.stdout.write(`Runs the check and ${files.length} files of tests.\n`);
  if (shared.length > 0) {
    process.stdout.write(
      `Other tests may depend on what all share: ${shared.join(', ')}. npm test runs all.\n`,
    );
  }
  return files;
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
 * Runs unit and service tests, and again the files of service tests in which something failed.
 * @param {readonly string[]} files all when there is none
 */
function runVitest(files) {
  const first = runVitestOnce(files);
  if (chosen === undefined && !first.some(hasRun)) troubles.push('No unit or service test ran.');
  const failed = new Set(first.filter(isFailed).map(({ file }) => file));
  failed.delete('');
  const again = [...failed].filter(isServiceTest);
  return again.length === 0 ? first : mergeRuns(first, runVitestOnce(again));
}

/** @param {readonly string[]} files all when there is none */
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
 * Runs one script of the locked Node in the foreground.
 * @param {readonly string[]} args the script and its arguments
 * @returns {boolean} whether it ended well
 */
function run(args) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 1, 2],
    env: {
      ...process.env,
      // React has no test support in the build for production.
      NODE_ENV: 'test',
      GATEHOUSE_CHROMIUM: chromium ?? '',
      PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
    },
  });
  return status === 0;
}
