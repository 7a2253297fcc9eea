import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inRoot } from './folders.mjs';

const ignored = new Set(['node_modules', 'dist', '.tanstack']);

/**
 * Says whether something built from `inputs` is still current, and remembers that it is.
 * Times and sizes are compared first; contents only when those differ, so that a checkout there and back
 * costs no build.
 *
 * @param {object} what
 * @param {string[]} what.inputs files and folders, relative to the root
 * @param {string} what.output a file that must exist
 * @param {string} what.stampFile where the last build is remembered
 * @returns {{ stale: boolean, done(): void }} call `done` after a build
 */
export function freshness({ inputs, output, stampFile }) {
  const files = inputs.flatMap((input) => [...filesUnder(inRoot(input))]);
  const times = hash(files.map((file) => `${file} ${fs.statSync(file).size} ${fs.statSync(file).mtimeMs}`));
  const contents = () => hash(files.map((file) => `${file} ${hash([fs.readFileSync(file)])}`));
  const write = () => {
    fs.mkdirSync(path.dirname(stampFile), { recursive: true });
    fs.writeFileSync(stampFile, JSON.stringify({ times, contents: contents() }));
  };
  const before = fs.existsSync(output) ? read(stampFile) : null;
  if (before?.times === times) return { stale: false, done: write };
  if (before?.contents === contents()) {
    write();
    return { stale: false, done: write };
  }
  return { stale: true, done: write };
}

/**
 * @param {string} file
 * @returns {Generator<string>}
 */
function* filesUnder(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isFile()) {
    yield file;
    return;
  }
  for (const name of fs.readdirSync(file).toSorted()) {
    // Tests are no part of what is built, and the route tree is written by the build itself.
    if (ignored.has(name) || /\.test\.tsx?$|\.gen\.ts$/.test(name)) continue;
    yield* filesUnder(path.join(file, name));
  }
}

/** @param {readonly (string | Buffer)[]} parts */
function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\n');
  return sum.digest('hex');
}

/**
 * @param {string} file
 * @returns {{ times: string, contents: string } | null}
 */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
