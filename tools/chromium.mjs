import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './folders.mjs';

/** Chromium without a window, from the same source, which makes tests take a fifth less processor time. */
const shell = 'chromium-headless-shell';

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
 * Finds a Chromium that starts, preferring the headless shell, and installs one if there is none: Debian's package as
 * root on Debian and Ubuntu, Playwright's own elsewhere. GATEHOUSE_CHROMIUM names one explicitly. It is set to the
 * found one, so that child processes don't search again.
 * @returns {string} path of the program
 * @throws {Error} in one line if none can be installed
 */
export function ensureChromium() {
  return (process.env['GATEHOUSE_CHROMIUM'] = findOrInstall());
}

function findOrInstall() {
  const named = process.env['GATEHOUSE_CHROMIUM'];
  const lean = firstThatStarts([...(named ? [named] : []), ...onPath([shell])]);
  if (lean !== null) return lean;
  const full =
    firstThatStarts([...onPath(names), ...(usualPlaces[process.platform] ?? [])]) ?? playwrightsOwn();
  const hasPackages = process.platform === 'linux' && fs.existsSync('/usr/bin/apt-get');
  if (hasPackages && process.getuid?.() === 0) {
    // If there is a full Chromium, the shell only saves time.
    installFromDebian(full === null ? [shell, 'chromium'] : [shell], full === null ? 3 : 1);
    const installed = firstThatStarts(onPath([shell, ...names]));
    if (installed !== null) return installed;
  }
  if (full !== null) return full;
  process.stderr.write("Fetching Playwright's Chromium …\n");
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

/** @param {readonly string[]} programs */
function onPath(programs) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => programs.map((name) => path.join(folder, name)));
}

/** @param {readonly string[]} files */
function firstThatStarts(files) {
  return files.find(starts) ?? null;
}

function playwrightsOwn() {
  const ask = "import('playwright-core').then((m) => process.stdout.write(m.chromium.executablePath()))";
  const answer = spawnSync(process.execPath, ['-e', ask], { cwd: inRoot('e2e'), encoding: 'utf8' });
  const file = answer.stdout.trim();
  return file !== '' && starts(file) ? file : null;
}

/**
 * Ubuntu's `chromium-browser` may be a script that only asks to install a snap, so its version is checked.
 * @param {string} file
 */
function starts(file) {
  if (!fs.existsSync(file)) return false;
  // Chrome on Windows and macOS opens a window instead of answering.
  if (process.platform !== 'linux') return true;
  const answer = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return answer.status === 0 && /chrom/i.test(answer.stdout);
}

/**
 * Installs the first available one of some packages.
 * @param {readonly string[]} packages
 * @param {number} attempts mirrors fail temporarily, and an old index names deleted packages
 */
function installFromDebian(packages, attempts) {
  process.stderr.write('Installing Chromium (apt-get) …\n');
  /** @type {(...args: string[]) => boolean} */
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  /** @param {string} name */
  const install = (name) => apt('install', '--yes', '--no-install-recommends', name, 'fonts-liberation');
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (apt('update') && packages.some(install)) return;
  }
}
