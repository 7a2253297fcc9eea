import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { webRoot } from './build.mjs';

/**
 * @typedef {object} Chunk an entry of Vite's manifest
 * @property {string} file
 * @property {string[]} [imports] keys of what is loaded with it
 * @property {string[]} [css]
 * @property {boolean} [isEntry]
 */

/** Largest JavaScript and CSS of a first visit, compressed with gzip, in bytes; fonts are apart. */
const budgets = {
  signIn: 130_000,
  shell: 190_000,
  list: 240_000,
  /** Details and forms, which are reached from a list: what they add is on demand. */
  record: 290_000,
  /** What an editor adds when it is opened. */
  editor: 140_000,
};

/** Parts that are fetched when they are opened, and weigh by themselves. */
const editors = [
  { name: 'editor of JSON', key: 'src/routes/$environment/secrets/-editing/JsonText.tsx' },
  { name: 'text in Markdown', key: 'src/components/markdown/MarkdownText.tsx' },
];

/** The two pages that the entry chooses from. */
const signInPage = 'src/sign-in/sign-in.tsx';
const consolePages = 'src/console.tsx';

/** Parts of a route that are fetched only when something goes wrong. */
const exceptional = /tsr-split=(errorComponent|notFoundComponent)$/;

/**
 * Weighs what a browser fetches for each screen: the entry, the screen's route and the routes around it, with
 * all that they import statically.
 * @returns {Promise<{ ok: boolean, output: string }>} a table of screens
 */
export async function checkBudgets() {
  const file = path.join(webRoot, '.vite', 'manifest.json');
  if (!fs.existsSync(file)) return { ok: false, output: 'There is no built page to weigh.' };
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  const keys = Object.keys(manifest);
  const entries = keys.filter((key) => manifest[key]?.isEntry);
  const routes = new Set(
    keys.flatMap((key) => key.match(/^src\/routes\/.+(?=\.tsx\?tsr-split=component(?:---\w+)*$)/)?.[0] ?? []),
  );
  const screens = [...routes].toSorted().flatMap((route) => {
    const budget = budgetOf(route);
    const around = chain(route);
    const parts = keys.filter((key) => {
      const [file, split] = key.split('.tsx?');
      return split !== undefined && !exceptional.test(key) && around.includes(file ?? '');
    });
    const name = route.replace('src/routes', '');
    return budget === null ? [] : [{ name, budget, roots: [...entries, consolePages, ...parts] }];
  });
  screens.push({ name: '/sign-in', budget: budgets.signIn, roots: [...entries, signInPage] });
  const weighed = screens.map(({ name, budget, roots }) => ({
    name,
    budget,
    files: closure(manifest, roots),
  }));
  const shell = new Set(closure(manifest, [...entries, consolePages]));
  for (const { name, key } of editors) {
    const files = closure(manifest, [key]).filter((chunk) => !shell.has(chunk));
    weighed.push({ name, budget: budgets.editor, files });
  }
  const lines = [];
  let ok = entries.length > 0 && routes.size > 0 && consolePages in manifest && signInPage in manifest;
  ok &&= editors.every(({ key }) => key in manifest);
  if (!ok) lines.push('The manifest names no entry, page or route: the build has changed its form.');
  for (const { name, budget, files } of weighed) {
    const bytes = files.reduce((sum, file) => sum + compressedSize(file), 0);
    if (bytes > budget) ok = false;
    const verdict = bytes > budget ? 'TOO BIG' : 'fits';
    lines.push(`${kilo(bytes)} of ${kilo(budget)} kB  ${verdict.padEnd(8)} ${name}`);
    if (bytes > budget) lines.push(...heaviest(files));
  }
  return { ok, output: lines.join('\n') };
}

/**
 * @param {string} route path of its file without the ending
 * @returns {number | null} null where no person waits for it
 */
function budgetOf(route) {
  if (/\/(__root|gallery(\/index)?)$/.test(route)) return null;
  // A path of any depth is a page of its own, in a file that is named as layouts are.
  if (route.endsWith('/$/route')) return route.endsWith('/folder/$/route') ? budgets.list : budgets.record;
  // Layouts inside the shell are what the lists in them have in common.
  if (route.endsWith('/route'))
    return route === 'src/routes/$environment/route' ? budgets.shell : budgets.list;
  return /\/(\$(?!environment\/)\w+|new(-\w+)?|authorize|boxes\/publish|boxes\/settings)\//.test(route)
    ? budgets.record
    : budgets.list;
}

/**
 * Files of a route and of the layouts around it.
 * @param {string} route
 */
function chain(route) {
  const folders = path.posix.dirname(route).split('/');
  const layouts = folders.map((_, index) => `${folders.slice(0, index + 1).join('/')}/route`);
  return ['src/routes/__root', ...layouts, route];
}

/**
 * All files that are loaded with `roots`.
 * @param {Record<string, Chunk>} manifest
 * @param {readonly string[]} roots keys of the manifest
 */
function closure(manifest, roots) {
  /** @type {Set<string>} */
  const files = new Set();
  const seen = new Set();
  const waiting = [...roots];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) continue;
    seen.add(key);
    files.add(chunk.file);
    for (const style of chunk.css ?? []) files.add(style);
    waiting.push(...(chunk.imports ?? []));
  }
  return [...files];
}

/** @param {readonly string[]} files */
function heaviest(files) {
  return files
    .toSorted((a, b) => compressedSize(b) - compressedSize(a))
    .slice(0, 8)
    .map((file) => `${kilo(compressedSize(file))}                       ${file}`);
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
function kilo(bytes) {
  return (bytes / 1000).toFixed(1).padStart(6);
}
