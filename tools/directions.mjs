// Import directions, checked on the files that imports lead to: the table of rooms.mjs, no circles, no screen that knows
// another, no far paths. A step of `npm run check`; `node tools/directions.mjs` runs it alone, `--numbers` counts.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesOf } from './circles.mjs';
import { root } from './folders.mjs';
import { readImports, readSources, readWorkspaces, workspaceOf } from './imports.mjs';
import { continueInLockedNode } from './locked-node.mjs';
import { rooms } from './rooms.mjs';

/**
 * @typedef {import('./imports.mjs').Import} Import
 * @typedef {import('./rooms.mjs').Room} Room
 * @typedef {keyof typeof rules} Rule
 * @typedef {{ rule: Rule, message: string }} Violation
 */

/** What an import can break. */
const rules = {
  rooms: 'rooms that may not know one another',
  doors: 'packages that are entered by a path',
  upward: 'upward imports in the BFF',
  screens: 'imports from one screen to another',
  far: 'imports of three levels and more',
  circles: 'circles, types included',
};
const allRules = /** @type {Rule[]} */ (Object.keys(rules));

/** @type {Record<string, string>} */
const signs = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' };
const patterns = rooms.map((room) => ({ room, pattern: regexOf(room.files) }));

/**
 * Checks a working copy.
 *
 * @param {string} [at] its root
 * @returns {Promise<{ ok: boolean, output: string }>} each import that breaks a rule, and how many break each rule
 */
export async function checkDirections(at = root) {
  const broken = judge(readHouse(at));
  const lines = allRules.flatMap((rule) => {
    const found = broken.filter((violation) => violation.rule === rule);
    if (found.length === 0) return [];
    return [...found.map(({ message }) => message), '', `${rules[rule]}: ${found.length}`];
  });
  return { ok: broken.length === 0, output: lines.join('\n') };
}

/**
 * All that is judged: sources, what they import, and the packages they lie in.
 * @param {string} at
 */
function readHouse(at) {
  const sources = readSources(at);
  return { sources, workspaces: readWorkspaces(at), imports: readImports(at, sources) };
}

/**
 * @param {ReturnType<typeof readHouse>} house
 * @returns {Violation[]}
 */
function judge({ sources, workspaces, imports }) {
  const screens = readScreens(sources.map(({ file }) => file));
  /** @type {Violation[]} */
  const found = [];
  for (const { file } of sources) {
    if (roomOf(file) !== undefined) continue;
    found.push({ rule: 'rooms', message: `${file} belongs to no room: give it one in tools/rooms.mjs.` });
  }
  for (const one of imports) {
    const { from, line, text, file } = one;
    const refuse = (/** @type {Rule} */ rule, /** @type {string} */ because) => {
      const target = file === null || file === text ? '' : ` (${file})`;
      found.push({ rule, message: `${from}:${line}: import of ${text}${target}. ${because}` });
    };
    const home = workspaceOf(workspaces, from);
    const elsewhere = file !== null && workspaceOf(workspaces, file) !== home;
    if (path.posix.normalize(text).startsWith('../../../') && !elsewhere) {
      refuse('far', 'Three levels up and more are written as `#…`, from "imports" of the package.');
    }
    const room = roomOf(from);
    if (room === undefined || room.may === 'anything') continue;
    const verdict = verdictOf(room, one);
    if (verdict !== undefined) refuse(verdict.rule ?? 'rooms', verdict.because);
    if (elsewhere && /^[.#]/.test(text) && workspaceOf(workspaces, file)?.folder !== '') {
      refuse('doors', 'Another package is imported by its name.');
    }
    const because = file !== null && screens.verdictOf(from, file);
    if (because) refuse('screens', because);
  }
  for (const circle of circlesOf(imports)) {
    const links = circle.map(({ from, line }) => `${from}:${line}`);
    found.push({ rule: 'circles', message: `circle: ${[...links, circle[0]?.from].join(' → ')}` });
  }
  return found;
}

/**
 * What the table says against an import.
 *
 * @param {Room} room of the file that imports
 * @param {Import} one
 * @returns {{ because: string, rule?: Rule } | undefined} nothing where it may
 */
function verdictOf(room, { file, outside, text }) {
  if (outside) {
    if (room.packages !== undefined && !room.packages.includes(text)) return room;
    return room.never?.find((rule) => rule.packages?.test(text));
  }
  if (file === null) return { because: 'No such file.' };
  const target = roomOf(file)?.room;
  if (target === room.room) return undefined;
  const among = (/** @type {readonly string[]} */ names) =>
    names.some((name) => target === name || target?.startsWith(`${name}/`));
  const never = room.never?.find((rule) => among(rule.rooms ?? []));
  if (never !== undefined) return never;
  return room.may === 'anything' || among(room.may) ? undefined : { because: room.because };
}

/** @type {Map<string, Room | undefined>} */
const roomsByFile = new Map();

/** @param {string} file */
function roomOf(file) {
  if (!roomsByFile.has(file)) roomsByFile.set(file, patterns.find(({ pattern }) => pattern.test(file))?.room);
  return roomsByFile.get(file);
}

/** @param {string} files a pattern with `*`, `**` and `{a,b}` */
function regexOf(files) {
  const source = files
    .replaceAll(/[.$]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*|[{},]/g, (sign) => signs[sign] ?? sign);
  return new RegExp(`^${source}$`);
}

const routes = 'apps/web/src/routes/';

/**
 * The screens of the page. A folder of routes belongs to its URL; a folder whose name begins with `-`, or that holds no
 * route, is private to the folder it lies in. A file may import what belongs to its own folder or to one around it, never
 * what belongs to another screen, and never a route itself: that is the router's.
 *
 * @param {readonly string[]} files
 */
function readScreens(files) {
  const isRoute = (/** @type {string} */ file) =>
    /\/(index|route|__root)\.tsx$/.test(file) && !file.includes('/-');
  const folders = new Set(
    files
      .filter((file) => file.startsWith(routes) && isRoute(file))
      .flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))),
  );
  /** The folder of routes that a file belongs to. */
  const screenOf = (/** @type {string} */ file) => {
    let screen = routes.slice(0, -1);
    for (const name of path.posix.dirname(file).slice(routes.length).split('/')) {
      if (name === '' || !folders.has(`${screen}/${name}`)) break;
      screen += `/${name}`;
    }
    return screen;
  };
  return {
    /**
     * @param {string} from
     * @param {string} file
     */
    verdictOf(from, file) {
      if (!from.startsWith(routes) || !file.startsWith(routes)) return undefined;
      if (isRoute(file)) return 'A route is imported by the router alone.';
      const screen = screenOf(file);
      if (`${screenOf(from)}/`.startsWith(`${screen}/`)) return undefined;
      return `It belongs to another screen, ${screen.slice(routes.length)}: what screens share lies in a folder around them.`;
    },
  };
}

/** The numbers that tell whether the house becomes simpler: sizes by package, and how often a rule is broken. */
function numbers() {
  const house = readHouse(root);
  const isTest = (/** @type {string} */ file) =>
    /\.(test|spec)\.tsx?$|\/(test|testing)\//.test(file) || file.startsWith('e2e/');
  const sizes = house.sources.map(({ file, text }) => {
    const folder = workspaceOf(house.workspaces, file)?.folder;
    return {
      app: folder || path.posix.dirname(file),
      test: isTest(file),
      lines: text.split('\n').length - 1,
    };
  });
  const rows = [...new Set(sizes.map(({ app }) => app))].map((app) => ({
    name: app === '.' ? 'settings' : app,
    of: sizes.filter((size) => size.app === app),
  }));
  rows.push({ name: 'apps and packages', of: sizes.filter(({ app }) => /^(apps|packages)\//.test(app)) });
  const row = (/** @type {(string | number)[]} */ ...cells) =>
    cells
      .map((cell, index) => `${cell}`[index === 0 ? 'padEnd' : 'padStart'](index === 0 ? 37 : 12))
      .join('');
  const table = rows.map(({ name, of }) => {
    const lines = of.filter(({ test }) => !test).map((size) => size.lines);
    const sorted = lines.toSorted((a, b) => a - b);
    const at = (/** @type {number} */ part) => sorted[Math.ceil(sorted.length * part) - 1] ?? '–';
    const sum = (/** @type {number[]} */ all) => all.reduce((total, one) => total + one, 0);
    const tests = of.filter(({ test }) => test).map((size) => size.lines);
    return row(name, lines.length, sum(lines), at(0.5), at(0.9), tests.length, sum(tests));
  });
  const broken = judge(house);
  const lasting = house.imports.filter(({ typeOnly }) => !typeOnly);
  return [
    row('', 'files', 'lines', 'median', '90th', 'test files', 'test lines'),
    ...table,
    '',
    ...allRules.map((rule) => row(rules[rule], broken.filter((violation) => violation.rule === rule).length)),
    row('circles without types', circlesOf(lasting).length),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await continueInLockedNode(process.argv[1]);
  const [option] = process.argv.slice(2);
  const { ok, output } = option === '--numbers' ? { ok: true, output: numbers() } : await checkDirections();
  process.stdout.write(`${output}\n`);
  if (!ok) process.exitCode = 1;
}
