import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './folders.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** @type {Partial<Record<NodeJS.Platform, string[]>>} */
const usualPlaces = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'].flatMap((folder) =>
    names.map((name) => path.join(folder, name)),
  ),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .map((folder) => path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
};

/**
 * Finds a Chromium or Chrome that starts, and installs one where there is none: Debian's package as root on
 * Debian and Ubuntu, Playwright's own elsewhere.
 *
 * @returns {string} path of the program
 * @throws {Error} in one line when none can be had
 */
export function ensureChromium() {
  const found = findChromium();
  if (found !== null) return found;
  if (process.platform === 'linux' && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    installFromDebian();
    const installed = findChromium();
    if (installed !== null) return installed;
  }
  process.stderr.write('Fetching Playwright’s Chromium …\n');
  const cli = inRoot('node_modules', 'playwright-core', 'cli.js');
  const deps = process.getuid?.() === 0 && process.platform === 'linux' ? ['--with-deps'] : [];
  spawnSync(process.execPath, [cli, 'install', ...deps, '--no-shell', 'chromium'], {
    stdio: ['ignore', 2, 2],
  });
  const own = playwrightsOwn();
  if (own !== null) return own;
  throw new Error(
    'No Chromium could be found or installed: install Chrome or Chromium and run npm test again.',
  );
}

/** Path of an installed Chromium that starts, or null. GATEHOUSE_CHROMIUM names one explicitly. */
function findChromium() {
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  const named = process.env['GATEHOUSE_CHROMIUM'];
  for (const file of [...(named ? [named] : []), ...onPath, ...(usualPlaces[process.platform] ?? [])]) {
    if (starts(file)) return file;
  }
  return playwrightsOwn();
}

function playwrightsOwn() {
  const ask = "import('playwright-core').then((m) => process.stdout.write(m.chromium.executablePath()))";
  const answer = spawnSync(process.execPath, ['-e', ask], { cwd: inRoot('e2e'), encoding: 'utf8' });
  const file = answer.stdout.trim();
  return file !== '' && starts(file) ? file : null;
}

/**
 * Ubuntu's `chromium-browser` may be a script that only says to install a snap, so it is asked its version.
 * @param {string} file
 */
function starts(file) {
  if (!fs.existsSync(file)) return false;
  // Chrome on Windows and macOS opens a window instead of answering.
  if (process.platform !== 'linux') return true;
  const answer = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return answer.status === 0 && /chrom/i.test(answer.stdout);
}

function installFromDebian() {
  process.stderr.write('Installing Chromium (apt-get) …\n');
  /** @type {(...args: string[]) => boolean} */
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = () => apt('install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation');
  // Mirrors fail for moments; an old index names packages that are gone.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (apt('update') && install()) return;
  }
}
