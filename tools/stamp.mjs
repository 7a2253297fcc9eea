import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './folders.mjs';

const ignored = new Set(['node_modules', 'dist', '.tanstack']);

/**
 * Says whether something built from `inputs` is still current. Contents are compared, not times: a checkout
 * there and back costs no build, and two writes within one tick of the file system's clock are told apart.
 * Reading all sources takes some 20 ms.
 *
 * @param {object} what
 * @param {string[]} what.inputs files and folders, relative to the working copy's root
 * @param {string} what.output a file that must exist
 * @param {string} what.stampFile where the last build is remembered
 * @returns {{ stale: boolean, done(): void }} call `done` after a build: what was read before it counts, so that
 * a change during the build makes the next one stale
 */
export function freshness({ inputs, output, stampFile }) {
  const sum = createHash('sha256');
  for (const file of inputs.flatMap((input) => [...filesUnder(path.resolve(root, input))])) {
    sum.update(file).update('\0').update(fs.readFileSync(file)).update('\0');
  }
  const contents = sum.digest('hex');
  return {
    stale: !fs.existsSync(output) || read(stampFile) !== contents,
    done() {
      fs.mkdirSync(path.dirname(stampFile), { recursive: true });
      fs.writeFileSync(stampFile, contents);
    },
  };
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

/** @param {string} file */
function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
