// The fixture kind: a kind of records that the product does not have, added as the docs say. `tools/fixture-kind.test.ts`
// proves with it what a new kind takes; `node tools/fixture-kind.mjs <folder>` plants it in a copy, to work on it there.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inRoot, root } from './folders.mjs';
import { readWorkspaces } from './imports.mjs';
import { continueInLockedNode } from './locked-node.mjs';

/**
 * What is added at once: the kind with its five operations and its screens, or one more operation of it.
 * @typedef {'kind' | 'action'} Part
 */

/** @typedef {{ file: string, lines: readonly string[], isNew: boolean }} Added lines that a part adds to one file */

const skipped = new Set([
  'node_modules',
  'dist',
  'data',
  'test-results',
  'playwright-report',
  'fixture-kind',
]);

/**
 * Copies the sources. Packages from outside are linked; those of the copy are its own.
 * @param {string} folder an empty one
 */
export function copyHouse(folder) {
  fs.cpSync(root, folder, {
    recursive: true,
    filter: (file) => file === root || (!skipped.has(path.basename(file)) && !isHidden(file)),
  });
  const modules = path.join(folder, 'node_modules');
  fs.mkdirSync(path.join(modules, '@gatehouse'), { recursive: true });
  for (const name of fs.readdirSync(inRoot('node_modules'))) {
    if (!name.startsWith('.') && name !== '@gatehouse')
      link(inRoot('node_modules', name), path.join(modules, name));
  }
  for (const { name, folder: home } of readWorkspaces(root)) {
    if (home !== '') link(path.join(folder, home), path.join(modules, name));
  }
}

/** @param {string} file */
function isHidden(file) {
  return path.dirname(file) === root && /^\.(?!ox|npmrc)/.test(path.basename(file));
}

/**
 * @param {string} target
 * @param {string} at
 */
function link(target, at) {
  fs.symlinkSync(target, at, 'junction');
}

/**
 * What a part adds: files of its own, and lines in files that are there.
 * @param {Part} part
 * @returns {readonly Added[]}
 */
export function addedBy(part) {
  const home = inRoot('tools', 'fixture-kind', part);
  const files = fs.globSync('**/*.{ts,tsx}', { cwd: home }).map((file) => ({
    file: file.replaceAll(path.sep, '/'),
    lines: fs.readFileSync(path.join(home, file), 'utf8').trimEnd().split('\n'),
    isNew: true,
  }));
  const inserted = insertionsOf(part).map(({ file, lines }) => ({ file, lines, isNew: false }));
  return [...files, ...inserted];
}

/**
 * Reads `<part>.lines`: below the name of a file, the line where something belongs, and what belongs there with `+`: after
 * a line with `@`, before one with `^`, in the place of one with `-`.
 * @param {Part} part
 */
function insertionsOf(part) {
  /** @type {{ file: string, sign: string, place: string, lines: string[] }[]} */
  const found = [];
  let file = '';
  for (const line of fs.readFileSync(inRoot('tools', 'fixture-kind', `${part}.lines`), 'utf8').split('\n')) {
    if (/^[@^-] /.test(line)) found.push({ file, sign: line.charAt(0), place: line.slice(2), lines: [] });
    else if (line.startsWith('+')) found.at(-1)?.lines.push(line.slice(1));
    else if (line !== '') file = line;
  }
  return found;
}

/**
 * Adds a part to a copy.
 * @param {string} folder
 * @param {Part} part
 */
export function plant(folder, part) {
  const home = inRoot('tools', 'fixture-kind', part);
  fs.cpSync(home, folder, { recursive: true });
  for (const { file, sign, place, lines } of insertionsOf(part)) {
    const at = path.join(folder, file);
    const before = fs.readFileSync(at, 'utf8').split('\n');
    const places = before.flatMap((line, index) => (line.trim() === place ? [index] : []));
    const [index] = places;
    if (index === undefined || places.length > 1) {
      throw new Error(
        `${file} has ${places.length} lines ${JSON.stringify(place)}: name another in ${part}.lines.`,
      );
    }
    const [start, removed] = sign === '@' ? [index + 1, 0] : [index, sign === '-' ? 1 : 0];
    fs.writeFileSync(at, before.toSpliced(start, removed, ...lines).join('\n'));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await continueInLockedNode(process.argv[1]);
  const [folder = ''] = process.argv.slice(2);
  copyHouse(path.resolve(folder));
  plant(path.resolve(folder), 'kind');
  plant(path.resolve(folder), 'action');
}
