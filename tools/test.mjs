// npm test: check, unit and service tests, build, end-to-end tests; the last lines are what failed and the sum.
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
const { lastLines, mergeRuns, readPlaywrightReport, readVitestReport } = await import('./reports.mjs');
const { vitestReport } = await import('./vitest-report.mjs');
const { isServiceTest } = await import('../vitest.config.ts');

const reports = inRoot('.cache', 'test');
fs.rmSync(reports, { recursive: true, force: true });
fs.mkdirSync(reports, { recursive: true });
const playwrightReport = `${reports}/playwright.json`;
/** @type {string[]} */
const troubles = [];

const chromium = findBrowser();
const built = buildStale();
if (!built) troubles.push('The build failed.');
if (!run([inRoot('tools/check.mjs')])) troubles.push('The check failed.');
const outcomes = runVitest();
if (chromium !== null && built) {
  const isGood = run([
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    inRoot('e2e/playwright.config.ts'),
    '--reporter=list,json',
  ]);
  const endToEnd = readPlaywrightReport(playwrightReport);
  if (!isGood && !endToEnd.some(isFailed)) troubles.push('The end-to-end tests ended too early.');
  if (!endToEnd.some(hasRun)) troubles.push('No end-to-end test ran.');
  outcomes.push(...endToEnd);
}

// Told once more, where people look first: what failed may stand thousands of lines above.
process.stdout.write(lastLines(outcomes, troubles));
process.exitCode = troubles.length > 0 || outcomes.some(isFailed) ? 1 : 0;

/** Runs the unit and service tests, and once more the files of service tests in which something failed. */
function runVitest() {
  const first = runVitestOnce([]);
  if (!first.some(hasRun)) troubles.push('No unit or service test ran.');
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
  const outcomes = readVitestReport(vitestReport);
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
