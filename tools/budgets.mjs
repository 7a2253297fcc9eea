// Part of npm run check. Alone: node tools/budgets.mjs, or node tools/budgets.mjs record to save the current sizes for
// comparison.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { webRoot } from './build.mjs';
import { inRoot } from './folders.mjs';

/**
 * @typedef {object} FirstVisit what the build writes down of a page (apps/web/chunks/gather-chunks.ts)
 * @property {string} path
 * @property {'sign-in' | 'shell' | 'later' | 'list' | 'record'} kind
 * @property {string[]} files all that it loads, the shell's included
 */

/**
 * @typedef {object} Weights what is kept in apps/web/weights.json
 * @property {Record<string, number>} parts bytes of each, compressed
 * @property {Record<string, number>} sources bytes of each before they are compressed
 */

/** @typedef {{ name: string, budget: number, files: string[] }} Part something that has a budget of its own */

/**
 * Largest JavaScript and CSS of each part, compressed with gzip, in bytes, without fonts. Pages other than the sign-in
 * page are measured without the shell, so that growth of the shell (such as a navigation entry) counts for the shell
 * only. With the shell, a list has at most 236 kB.
 */
const budgets = {
  'sign-in': 105_000,
  shell: 181_000,
  /** What every page fetches after its first render. */
  later: 80_000,
  list: 55_000,
  /** Details and forms, which are reached from a list, so their code loads on demand. */
  record: 112_000,
  /** What an editor adds when it opens. */
  editor: 140_000,
};

/** Parts that are fetched when they open, and are measured alone, by the end of their file's path in apps/web/src. */
const editors = [
  { name: 'editor of JSON', file: '/JsonText.tsx' },
  { name: 'text in Markdown', file: '/MarkdownText.tsx' },
];

const recorded = inRoot('apps', 'web', 'weights.json');

/**
 * Measures what a browser fetches on a first visit of each page.
 * @returns {Promise<{ ok: boolean, output: string }>} a table, with what grew since the last record for parts that are
 *   too big
 */
export async function checkBudgets() {
  const parts = partsOfPage();
  if (typeof parts === 'string') return { ok: false, output: parts };
  /** @type {Weights} */
  const before = fs.existsSync(recorded)
    ? JSON.parse(fs.readFileSync(recorded, 'utf8'))
    : { parts: {}, sources: {} };
  const lines = [];
  let ok = true;
  for (const { name, budget, files } of parts) {
    const bytes = sizeOf(files);
    const grown = bytes - (before.parts[name] ?? bytes);
    const isTooBig = bytes > budget;
    lines.push(
      `${exact(bytes)} of ${exact(budget)} B ${signed(grown)}  ${isTooBig ? 'TOO BIG' : 'fits   '}  ${name}`,
    );
    if (isTooBig) lines.push(...growth(files, before), ...heaviest(files));
    ok &&= !isTooBig;
  }
  return { ok, output: lines.join('\n') };
}

/** Records all current sizes for later comparison. */
function recordWeights() {
  const parts = partsOfPage();
  if (typeof parts === 'string') throw new Error(parts);
  /** @type {Weights} */
  const weights = {
    parts: Object.fromEntries(parts.map(({ name, files }) => [name, sizeOf(files)])),
    sources: sourcesOf(Object.keys(sources())),
  };
  fs.writeFileSync(recorded, `${JSON.stringify(weights, null, 2)}\n`);
}

/** @returns {Part[] | string} the error if there is nothing to measure */
function partsOfPage() {
  const visits = read('first-visits.json');
  if (visits === undefined) return "The page isn't built, so it can't be measured.";
  const pages = /** @type {FirstVisit[]} */ (visits);
  const shell = new Set(pages.find(({ kind }) => kind === 'shell')?.files);
  /** @type {(files: string[]) => string[]} */
  const added = (files) => files.filter((file) => !shell.has(file));
  const parts = pages.map(({ path: name, kind, files }) => ({
    name: {
      shell: 'the shell',
      later: 'after the shell',
      list: name,
      record: name,
      'sign-in': name,
    }[kind],
    budget: budgets[kind],
    files: kind === 'shell' || kind === 'sign-in' ? files : added(files),
  }));
  const manifest = /** @type {Record<string, { file: string, imports?: string[], css?: string[] }>} */ (
    read('manifest.json')
  );
  for (const { name, file } of editors) {
    const key = Object.keys(manifest).find((one) => one.endsWith(file));
    if (key === undefined) return `The budgets name ${file}, but the page loads no file of that name.`;
    parts.push({ name, budget: budgets.editor, files: added(closure(manifest, key)) });
  }
  return parts;
}

/**
 * All files that are loaded with an entry.
 * @param {Record<string, { file: string, imports?: string[], css?: string[] }>} manifest
 * @param {string} root the entry's key
 */
function closure(manifest, root) {
  const files = new Set();
  const seen = new Set();
  const waiting = [root];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    waiting.push(...(chunk.imports ?? []));
  }
  return [...files];
}

/**
 * The packages and folders in `files` that grew most.
 * @param {string[]} files
 * @param {Weights} before
 */
function growth(files, before) {
  const now = sourcesOf(Object.keys(sources()));
  const grown = Object.keys(sourcesOf(files))
    .map((name) => ({ name, bytes: (now[name] ?? 0) - (before.sources[name] ?? 0) }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 8);
  return grown.map(({ name, bytes }) => `${signed(bytes)} B before compression  ${name}`);
}

/** @param {string[]} files */
function heaviest(files) {
  return files
    .toSorted((a, b) => compressedSize(b) - compressedSize(a))
    .slice(0, 5)
    .map((file) => {
      const made = Object.entries(sources()[file] ?? {}).toSorted(([, a], [, b]) => b - a);
      const of = made.slice(0, 3).map(([name]) => name);
      return `${exact(compressedSize(file))} B in ${file}: ${of.join(', ')}`;
    });
}

/**
 * Bytes by source, before compression.
 * @param {string[]} files
 */
function sourcesOf(files) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const file of files) {
    for (const [name, bytes] of Object.entries(sources()[file] ?? {})) sum[name] = (sum[name] ?? 0) + bytes;
  }
  return Object.fromEntries(Object.entries(sum).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** @returns {Record<string, Record<string, number>>} by file */
function sources() {
  return /** @type {Record<string, Record<string, number>>} */ (read('sources.json') ?? {});
}

/** @type {Map<string, unknown>} */
const texts = new Map();

/** @param {string} name a file that the build writes for the tools */
function read(name) {
  const file = path.join(webRoot, '.vite', name);
  if (!texts.has(name)) {
    texts.set(name, fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined);
  }
  return texts.get(name);
}

/** @param {string[]} files */
function sizeOf(files) {
  return files.reduce((sum, file) => sum + compressedSize(file), 0);
}

/** @type {Map<string, number>} */
const sizes = new Map();

/** @param {string} file relative to the built page */
function compressedSize(file) {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const size = gzipSync(fs.readFileSync(path.join(webRoot, file))).length;
  sizes.set(file, size);
  return size;
}

/** @param {number} bytes */
function exact(bytes) {
  return bytes.toLocaleString('en').padStart(7);
}

/** @param {number} bytes */
function signed(bytes) {
  return (bytes === 0 ? '' : `${bytes > 0 ? '+' : '−'}${Math.abs(bytes).toLocaleString('en')}`).padStart(8);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  (await import('./build.mjs')).buildStale();
  if (process.argv[2] === 'record') recordWeights();
  process.stdout.write(`${(await checkBudgets()).output}\n`);
}
