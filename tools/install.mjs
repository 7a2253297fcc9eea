// Runs on any Node from 20 on, before anything is installed, so it imports only Node's own modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './folders.mjs';

const lockfile = inRoot('package-lock.json');
const hiddenLockfile = inRoot('node_modules', '.package-lock.json');
const stampFile = inRoot('node_modules', '.gatehouse-install.json');

/**
 * Installs the locked dependencies if node_modules is missing or differs from package-lock.json; otherwise does
 * nothing. Development packages are installed even under NODE_ENV=production, because the build needs them. No package
 * needs an install script. Exits the process with one line if npm fails.
 */
export function ensureInstalled() {
  const wanted = fingerprint();
  if (wanted !== null && readStamp() === wanted) return;
  if (matchesLockfile()) {
    writeStamp();
    return;
  }
  process.stderr.write('Installing dependencies (npm ci) …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(
    npm,
    ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, PATH: pathWithoutWorkspaceBinaries() },
      // npm's output isn't this command's output, which may be piped.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (result.error || result.status !== 0) {
    const why = result.error ? result.error.message : `npm ci ended with ${result.status ?? result.signal}`;
    process.stderr.write(`Dependencies could not be installed: ${why}.\n`);
    process.exit(1);
  }
  writeStamp();
}

/** Identifies "this lockfile, installed by this run of npm"; null if something is missing. */
function fingerprint() {
  try {
    // npm rewrites its hidden lockfile with every change of the tree, so a later prune is noticed too.
    const { mtimeMs, size } = fs.statSync(hiddenLockfile);
    const lock = createHash('sha256').update(fs.readFileSync(lockfile)).digest('hex');
    return [lock, process.platform, process.arch, mtimeMs, size].join(' ');
  } catch {
    return null;
  }
}

function readStamp() {
  try {
    return JSON.parse(fs.readFileSync(stampFile, 'utf8')).fingerprint;
  } catch {
    return null;
  }
}

function writeStamp() {
  fs.writeFileSync(stampFile, JSON.stringify({ fingerprint: fingerprint() }));
}

/** Whether npm has recorded exactly the locked tree, for trees that someone installed by hand. */
function matchesLockfile() {
  let locked;
  let installed;
  try {
    locked = JSON.parse(fs.readFileSync(lockfile, 'utf8')).packages;
    installed = JSON.parse(fs.readFileSync(hiddenLockfile, 'utf8')).packages;
  } catch {
    return false;
  }
  for (const [where, want] of Object.entries(locked)) {
    if (!where.startsWith('node_modules/') && !where.includes('/node_modules/')) continue;
    const have = installed[where];
    if (have === undefined) {
      // Node's binary is optional only so that other platforms can install.
      if (want.optional && where !== `node_modules/${nodePackage()}`) continue;
      return false;
    }
    if (have.version !== want.version || have.integrity !== want.integrity || have.link !== want.link)
      return false;
  }
  return true;
}

/** Name of the package with the locked Node for this platform, whether or not it exists. */
export function nodePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${platform}-${process.arch}`;
}

/** npm must not run on the Node that it is about to replace, so its PATH leaves out node_modules/.bin. */
function pathWithoutWorkspaceBinaries() {
  const bin = path.join('node_modules', '.bin');
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.endsWith(bin) && !entry.includes(`${path.sep}node-gyp-bin`))
    .join(path.delimiter);
}
