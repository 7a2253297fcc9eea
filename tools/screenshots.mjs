// Takes the screenshots of README from the demo, in light and dark: node tools/screenshots.mjs
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inRoot } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

const { chromium } = await import('playwright-core');
const { ensureChromium } = await import('./chromium.mjs');

/** @typedef {import('playwright-core').Page} Page */

/** @type {readonly { name: string, path: string, show?: (page: Page) => Promise<void> }[]} */
const screens = [
  { name: 'overview', path: '/production' },
  {
    name: 'targets',
    path: '/production/targets',
    show: (page) => page.getByRole('row').nth(8).waitFor(),
  },
  { name: 'target', path: '/production/targets', show: openTarget },
  { name: 'connections', path: '/production/connections' },
];

const password = 'only for screenshots';
const folder = inRoot('docs', 'screenshots');
fs.mkdirSync(folder, { recursive: true });

const demo = spawn(process.execPath, [inRoot('tools/start.mjs'), 'demo'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ACCESS_PORT: '0',
    GATEHOUSE_ADMIN_PASSWORD: password,
  },
});
try {
  const origin = await consoleOf(demo.stdout);
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({
      baseURL: origin,
      colorScheme,
      locale: 'en-GB',
      viewport: { width: 1440, height: 900 },
      deviceScaleFactor: 2,
    });
    await page.goto('/sign-in');
    await take(page, `sign-in-${colorScheme}`);
    await signIn(page);
    for (const { name, path, show } of screens) {
      await page.goto(path);
      await show?.(page);
      await take(page, `${name}-${colorScheme}`);
    }
    await page.close();
  }
  await browser.close();
} finally {
  demo.kill('SIGTERM');
}

/**
 * Waits until the demo says where it is.
 * @param {NodeJS.ReadableStream} output
 * @returns {Promise<string>}
 */
async function consoleOf(output) {
  let said = '';
  for await (const text of output) {
    said += String(text);
    const found = /Console +(\S+)[^]*Ctrl\+C/.exec(said);
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error('The demo did not start.');
}

/** @param {Page} page */
async function signIn(page) {
  await page.getByRole('radio', { name: 'Production' }).check({ force: true });
  await page.getByLabel('Login name').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /^Sign in/ }).click();
  await page.waitForURL(/\/production/);
}

/** @param {Page} page */
async function openTarget(page) {
  await page.getByRole('row').nth(3).getByRole('link').first().click();
  await page.waitForURL(/\/targets\/t/);
}

/**
 * @param {Page} page
 * @param {string} name of the file, without its ending
 */
async function take(page, name) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled', caret: 'hide' });
}
