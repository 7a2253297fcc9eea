// Checks the import directions: resolves all imports of all source files, and compares them with the table of
// rooms.mjs. A step of `npm run check`; `node tools/imports.ts` runs it alone. Lint finds cycles.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { root } from './folders.mjs';
import { rooms, type Room } from './rooms.mjs';

/** Paths are relative to the root, with slashes. */
export interface Import {
  readonly from: string;
  readonly line: number;
  /** The name as it is written. */
  readonly text: string;
  /** Whether the import is gone once types are erased. */
  readonly typeOnly: boolean;
  /** The imported file; null for an outside package, and for an unresolved name. */
  readonly file: string | null;
  /** Whether it names an outside package, or a part of Node. */
  readonly outside: boolean;
}

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Folders without sources. */
const skipped = new Set(['node_modules', 'dist']);

/** Reads all sources of a working copy, except generated ones. @param at its root */
export function readSources(at: string): Source[] {
  const patterns = ['', '{apps,packages,bench,e2e,tools}/**/'].map((folder) => `${folder}*.{ts,tsx,js,mjs}`);
  return fs
    .globSync(patterns, { cwd: at, exclude: (name) => skipped.has(path.basename(name)) })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.gen.ts'))
    .toSorted()
    .map((file) => ({ file, text: fs.readFileSync(path.join(at, file), 'utf8') }));
}

/** Reads the imports of sources, in the order of files and lines. */
export function readImports(at: string, sources: readonly Source[]): Import[] {
  const resolve = resolver(at);
  return sources.flatMap(({ file, text }) =>
    written(file, text).map((one) => ({
      from: file,
      line: text.slice(0, one.start).split('\n').length,
      text: one.text,
      typeOnly: one.typeOnly,
      ...resolve(file, one.text),
    })),
  );
}

/** The imports of a file as they are written. A name that is known only at run time is unresolved, and refused. */
function written(file: string, text: string) {
  const { errors, module } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const areTypes = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  return [
    ...module.staticImports.map(({ moduleRequest: { value, start }, entries }) => ({
      text: value,
      start,
      typeOnly: areTypes(entries),
    })),
    ...module.staticExports.flatMap(({ entries }) => {
      const from = entries[0]?.moduleRequest;
      return from ? [{ text: from.value, start: from.start, typeOnly: areTypes(entries) }] : [];
    }),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
      const source = text.slice(start, end);
      return {
        text: /^(['"`])((?:(?!\1|\$\{).)*)\1$/.exec(source)?.[2] ?? `(${source})`,
        start,
        typeOnly: false,
      };
    }),
  ].toSorted((one, other) => one.start - other.start);
}

/** The folder of a file's package; empty for the root's. */
function packageOf(file: string): string {
  return /^(?:(?:apps|packages)\/[^/]+|bench|e2e)(?=\/)/.exec(file)?.[0] ?? '';
}

/** Node resolves names of packages and names with `#`. Their "exports" and "imports" name existing files. */
function resolver(at: string) {
  const home = fs.realpathSync(at);
  const known = new Map<string, string | null>();
  const find = (from: string, request: string): string | null => {
    if (request.startsWith('.')) {
      const file = path.posix.join(path.posix.dirname(from), request);
      return file.endsWith('.gen.ts') || fs.existsSync(path.join(home, file)) ? file : null;
    }
    try {
      const found = createRequire(path.join(home, packageOf(from), 'package.json')).resolve(request);
      return path.relative(home, found).replaceAll(path.sep, '/');
    } catch {
      return null;
    }
  };
  return (from: string, text: string): Pick<Import, 'file' | 'outside'> => {
    // Vite's `?worker&url` names a form of the same file.
    const request = text.replace(/\?.*$/, '');
    const isNear = /^\.{1,2}(\/|$)/.test(request);
    if (!isNear && !/^(?:#|@gatehouse\/)/.test(request))
      return { file: null, outside: /^(@[\w-]+\/)?[\w-][\w.-]*(\/[\w./-]+)?$|^node:/.test(request) };
    const key = `${isNear ? path.posix.dirname(from) : packageOf(from)} ${request}`;
    let file = known.get(key);
    if (file === undefined) known.set(key, (file = find(from, request)));
    return { file, outside: false };
  };
}

/** The rules for imports. */
const rules = {
  rooms: 'imports that tools/rooms.mjs forbids',
  doors: 'packages imported by a path',
  upward: 'upward imports in the BFF',
  screens: 'imports from one screen to another',
  far: 'imports from three or more levels up',
} as const;

interface Violation {
  readonly rule: keyof typeof rules;
  readonly message: string;
}

/**
 * Checks a working copy.
 * @param at its root
 * @returns each import that breaks a rule, and the number of findings per rule
 */
export async function checkImports(at: string = root): Promise<{ ok: boolean; output: string }> {
  const sources = readSources(at);
  const broken = Map.groupBy(judge(sources, readImports(at, sources)), ({ rule }) => rule);
  const lines = [...broken].flatMap(([rule, found]) => [
    ...found.map(({ message }) => message),
    '',
    `${rules[rule]}: ${found.length}`,
  ]);
  return { ok: broken.size === 0, output: lines.join('\n') };
}

function judge(sources: readonly Source[], imports: readonly Import[]): Violation[] {
  const screens = readScreens(sources.map(({ file }) => file));
  const found: Violation[] = sources
    .filter(({ file }) => roomOf(file) === undefined)
    .map(({ file }) => ({
      rule: 'rooms',
      message: `${file} belongs to no room. Add it to one in tools/rooms.mjs.`,
    }));
  for (const one of imports) {
    const { from, line, text, file } = one;
    const refuse = (rule: Violation['rule'], because: string) => {
      const target = file === null || file === text ? '' : ` (${file})`;
      found.push({ rule, message: `${from}:${line}: import of ${text}${target}. ${because}` });
    };
    const isElsewhere = file !== null && packageOf(file) !== packageOf(from);
    if (path.posix.normalize(text).startsWith('../../../') && !isElsewhere)
      refuse('far', "From three levels up, import by a `#…` name from the package's imports.");
    const room = roomOf(from);
    if (room === undefined || room.may === 'anything') continue;
    const verdict = verdictOf(room, one);
    if (verdict !== undefined) refuse(verdict.rule ?? 'rooms', verdict.because);
    if (isElsewhere && /^[.#]/.test(text) && packageOf(file) !== '')
      refuse('doors', 'Import other packages by name.');
    const because = file !== null && screens.verdictOf(from, file);
    if (because) refuse('screens', because);
  }
  return found;
}

/** The table's objection to an import of a file in this room. */
function verdictOf(
  room: Room,
  { file, outside, text }: Import,
): { readonly because: string; readonly rule?: 'upward' } | undefined {
  if (outside) {
    if (room.packages !== undefined && !room.packages.includes(text)) return { because: room.because };
    return room.never?.find(({ packages }) => packages?.test(text));
  }
  if (file === null) return { because: 'No such file.' };
  const target = roomOf(file)?.room;
  if (target === room.room) return undefined;
  const isAmong = (names: readonly string[]) =>
    names.some((name) => target === name || target?.startsWith(`${name}/`));
  const never = room.never?.find((rule) => isAmong(rule.rooms ?? []));
  if (never !== undefined) return never;
  return room.may === 'anything' || isAmong(room.may) ? undefined : { because: room.because };
}

const roomsByFile = new Map<string, Room | undefined>();

function roomOf(file: string): Room | undefined {
  if (!roomsByFile.has(file))
    roomsByFile.set(
      file,
      rooms.find(({ files }) => path.posix.matchesGlob(file, files)),
    );
  return roomsByFile.get(file);
}

const routes = 'apps/web/src/routes/';

/**
 * The page's screens. A folder of routes belongs to its URL. A folder whose name begins with `-`, or that has no route,
 * is private to its parent. A file may import from its own folder and those around it, but never from another screen,
 * and never a route, which only the router imports.
 */
function readScreens(files: readonly string[]) {
  const isRoute = (file: string) =>
    /\/(index|route|__root|[A-Z]\w*Page)\.tsx$/.test(file) && !file.includes('/-');
  const folders = new Set(
    files
      .filter((file) => file.startsWith(routes) && isRoute(file))
      .flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))),
  );
  /** The folder of routes that a file belongs to. */
  const screenOf = (file: string) => {
    let screen = routes.slice(0, -1);
    for (const name of path.posix.dirname(file).slice(routes.length).split('/')) {
      if (name === '' || !folders.has(`${screen}/${name}`)) break;
      screen += `/${name}`;
    }
    return screen;
  };
  return {
    verdictOf(from: string, file: string): string | undefined {
      if (!from.startsWith(routes) || !file.startsWith(routes)) return undefined;
      if (isRoute(file)) return 'Only the router may import a route.';
      const screen = screenOf(file);
      if (`${screenOf(from)}/`.startsWith(`${screen}/`)) return undefined;
      return `It belongs to another screen, ${screen.slice(routes.length)}: move what both use into a folder above both.`;
    },
  };
}

if (import.meta.main) {
  const { ok, output } = await checkImports();
  process.stdout.write(`${output}\n`);
  if (!ok) process.exitCode = 1;
}
