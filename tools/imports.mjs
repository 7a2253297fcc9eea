// What imports what: every import of every source file, resolved to a file of the repository or to a package outside.
import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * @typedef {object} Import
 * @property {string} from the file that imports, relative to the root and with slashes, as all paths here
 * @property {number} line
 * @property {string} text as it is written
 * @property {boolean} typeOnly gone when types are erased
 * @property {string | null} file what it leads to; null for a package outside, and for what leads nowhere
 * @property {boolean} outside whether it names a package outside, or a part of Node
 */

/**
 * @typedef {object} Workspace
 * @property {string} name of the package
 * @property {string} folder empty for the root
 * @property {Record<string, string>} imports what its own files may call `#…`
 * @property {Record<string, string>} exports what other packages may import of it
 */

const folders = ['apps', 'packages', 'bench', 'e2e', 'tools'];
/** Folders of what is no source here: what the fixture kind adds is judged where it is planted. */
const skipped = new Set(['node_modules', 'dist', 'fixture-kind']);

/**
 * Reads all sources of a working copy. What is generated is no source: it only says again what others say.
 * @param {string} root
 */
export function readSources(root) {
  const top = fs.readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [
    ...top.map(({ name }) => name),
    ...folders.flatMap((folder) => [...filesUnder(root, folder)]),
  ];
  return files
    .filter((file) => /\.(tsx?|m?js)$/.test(file) && !file.endsWith('.gen.ts'))
    .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Generator<string>}
 */
function* filesUnder(root, folder) {
  if (!fs.existsSync(path.join(root, folder))) return;
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    if (entry.isDirectory()) yield* filesUnder(root, `${folder}/${entry.name}`);
    else yield `${folder}/${entry.name}`;
  }
}

/**
 * @param {string} root
 * @param {readonly { file: string, text: string }[]} files of {@link readSources}
 * @returns {Import[]} in the order of files and lines
 */
export function readImports(root, files) {
  const resolve = resolver(root);
  return files.flatMap(({ file, text }) => {
    const starts = lineStarts(text);
    return written(file, text)
      .toSorted((a, b) => a.at - b.at)
      .map(({ text, at, typeOnly }) => ({
        from: file,
        line: starts.findLastIndex((start) => start <= at) + 1,
        text,
        typeOnly,
        ...resolve(file, text),
      }));
  });
}

/**
 * The imports of one file as they are written: `import`, `export … from`, `import()`, `import('…')` in types, and the
 * same in the comments that type plain JavaScript.
 *
 * @param {string} file
 * @param {string} text
 */
function written(file, text) {
  /** @type {{ text: string, at: number, typeOnly: boolean }[]} */
  const found = [];
  const parsed = parseSync(file, text);
  if (parsed.errors[0] !== undefined) throw new Error(`${file} cannot be read: ${parsed.errors[0].message}`);
  for (const { moduleRequest, entries } of parsed.module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    found.push({ text: moduleRequest.value, at: moduleRequest.start, typeOnly });
  }
  for (const { entries } of parsed.module.staticExports) {
    const from = entries[0]?.moduleRequest;
    if (from)
      found.push({ text: from.value, at: from.start, typeOnly: entries.every((entry) => entry.isType) });
  }
  // The tree takes five times as long as the rest and is needed for these alone.
  if (/\bimport\s*[(/.]|\bexport\s+(type\s*)?\{\s*\}/.test(text)) {
    new Visitor({
      ImportExpression: ({ source, start }) => {
        const plain = source.type === 'TemplateLiteral' && source.expressions.length === 0;
        const fixed =
          source.type === 'Literal' ? source.value : plain ? source.quasis[0]?.value.cooked : null;
        // What is known only when it runs leads nowhere here, and is refused where directions are checked.
        const written = fixed ?? `(${text.slice(source.start, source.end)})`;
        found.push({ text: `${written}`, at: start, typeOnly: false });
      },
      ExportNamedDeclaration: ({ source, specifiers, exportKind }) => {
        if (source === null || specifiers.length > 0) return;
        found.push({ text: source.value, at: source.start, typeOnly: exportKind === 'type' });
      },
      TSImportType: ({ source, start }) => found.push({ text: source.value, at: start, typeOnly: true }),
    }).visit(parsed.program);
  }
  if (/\.m?js$/.test(file)) {
    for (const comment of parsed.comments) {
      for (const match of comment.value.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)) {
        found.push({ text: match[1] ?? '', at: comment.start + match.index, typeOnly: true });
      }
    }
  }
  return found;
}

/** @param {string} text */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * The workspaces of a working copy, the root among them.
 * @param {string} root
 * @returns {Workspace[]}
 */
export function readWorkspaces(root) {
  const manifest = readManifest(root, '');
  const folders = fs.globSync(manifest.workspaces ?? [], { cwd: root });
  return [...folders.map((folder) => folder.replaceAll(path.sep, '/')), '']
    .filter((folder) => fs.existsSync(path.join(root, folder, 'package.json')))
    .map((folder) => {
      const { name = '', imports = {}, exports = {} } = readManifest(root, folder);
      return { name, folder, imports, exports };
    });
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {{ workspaces?: string[] } & Partial<Workspace>}
 */
function readManifest(root, folder) {
  return JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
}

/**
 * The workspace that a file lies in.
 * @param {readonly Workspace[]} workspaces
 * @param {string} file
 */
export function workspaceOf(workspaces, file) {
  return workspaces.find(({ folder }) => folder === '' || file.startsWith(`${folder}/`));
}

/** @param {string} root */
function resolver(root) {
  const workspaces = readWorkspaces(root);
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const exists = (/** @type {string} */ file) => {
    const found = known.get(file) ?? fs.existsSync(path.join(root, file));
    known.set(file, found);
    return found || file.endsWith('.gen.ts');
  };

  /**
   * @param {string} from
   * @param {string} text
   * @returns {{ file: string | null, outside: boolean }}
   */
  return (from, text) => {
    // Vite's `?worker&url` says how, not what.
    const request = text.replace(/\?.*$/, '');
    if (/^\.{1,2}(\/|$)/.test(request)) return inside(path.posix.join(path.posix.dirname(from), request));
    if (request.startsWith('#')) {
      const home = workspaceOf(workspaces, from);
      return inside(home && mapped(home.folder, home.imports, request));
    }
    const home = workspaces.find(({ name }) => request === name || request.startsWith(`${name}/`));
    if (home) return inside(mapped(home.folder, home.exports, `.${request.slice(home.name.length)}`));
    return { file: null, outside: /^(@[\w-]+\/)?[\w-][\w.-]*(\/[\w./-]+)?$|^node:/.test(request) };
  };

  /** @param {string | undefined} file */
  function inside(file) {
    return { file: file !== undefined && exists(file) ? file : null, outside: false };
  }
}

/**
 * What a package's "imports" or "exports" make of a request: the longest pattern that fits wins, as in Node.
 *
 * @param {string} folder of the package
 * @param {Record<string, string>} patterns
 * @param {string} request
 */
function mapped(folder, patterns, request) {
  const fitting = Object.keys(patterns).filter((pattern) => {
    const [before = '', after] = pattern.split('*');
    if (after === undefined) return request === pattern;
    return (
      request.startsWith(before) && request.endsWith(after) && request.length > before.length + after.length
    );
  });
  const best = fitting.toSorted((a, b) => b.length - a.length)[0];
  if (best === undefined) return undefined;
  const [before = '', after] = best.split('*');
  const rest = after === undefined ? '' : request.slice(before.length, request.length - after.length);
  return path.posix.join(
    folder,
    (patterns[best] ?? '').replaceAll('*', () => rest),
  );
}
