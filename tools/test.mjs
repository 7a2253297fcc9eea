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
const { readPlaywrightReport, readVitestReport } = await import('./reports.mjs');

const reports = inRoot('.cache', 'test');
fs.rmSync(reports, { recursive: true, force: true });
fs.mkdirSync(reports, { recursive: true });
const vitestReport = `${reports}/vitest.json`;
const playwrightReport = `${reports}/playwright.json`;
/** @type {string[]} */
const troubles = [];

const chromium = findBrowser();
const built = buildStale();
if (!built) troubles.push('The build failed.');
run('The check', [inRoot('tools/check.mjs')]);
run('A unit or service test', [
  inRoot('node_modules/vitest/vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${vitestReport}`,
]);
if (chromium !== null && built) {
  run('An end-to-end test', [
    inRoot('node_modules/@playwright/test/cli.js'),
    'test',
    '--config',
    inRoot('e2e/playwright.config.ts'),
    '--reporter=list,json',
  ]);
}

const unit = readVitestReport(vitestReport);
const endToEnd = readPlaywrightReport(playwrightReport);
if (unit.passed + unit.failed === 0) troubles.push('No unit or service test ran.');
if (endToEnd.passed + endToEnd.failed === 0) troubles.push('No end-to-end test ran.');
const sum = {
  passed: unit.passed + endToEnd.passed,
  failed: unit.failed + endToEnd.failed,
  skipped: unit.skipped + endToEnd.skipped,
};
// Told once more, where people look first: what failed may stand thousands of lines above.
for (const failure of [...unit.failures, ...endToEnd.failures]) process.stdout.write(`✗ ${failure}\n`);
for (const trouble of troubles) process.stdout.write(`✗ ${trouble}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`);
process.exitCode = troubles.length > 0 || sum.failed > 0 ? 1 : 0;

function findBrowser() {
  try {
    return ensureChromium();
  } catch (error) {
    troubles.push(String(error));
    return null;
  }
}

/**
 * Runs one script of the locked Node in the foreground and notes when it fails.
 *
 * @param {string} what for the note
 * @param {readonly string[]} args the script and its arguments
 */
function run(what, args) {
  const result = spawnSync(process.execPath, args, {
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
  if (result.status !== 0) troubles.push(`${what} failed.`);
}
