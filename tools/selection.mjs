// Which tests to run: by words, by paths, or by what changed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './folders.mjs';
import { readImports, readSources } from './imports.mjs';

/** The screens of a service, by its folder: their end-to-end tests have folders of these names. */
const screensOf = {
  'apps/access-controller': ['targets', 'sources', 'sessions', 'people'],
  'apps/secrets-server': ['secrets', 'plugins', 'cloud', 'replication'],
  'apps/box-registry': ['boxes'],
  'apps/module-registry': ['modules'],
};

/** @param {string} file path from the root */
export function isEndToEnd(file) {
  return /^e2e\/tests\/.*\.spec\.ts$/.test(file);
}

/** @param {string} file */
function isTest(file) {
  return isEndToEnd(file) || /\.test\.tsx?$/.test(file);
}

/**
 * The tests that match any of the words: by a part of their path or of a title; and for the path of a source, those that
 * depend on it.
 * @param {readonly string[]} words
 * @returns {string[]} paths from the root
 */
export function testsMatching(words) {
  const sources = readSources(root);
  const named = words.map((word) => path.relative(root, path.resolve(word)).replaceAll(path.sep, '/'));
  const given = named.filter((name) => !isTest(name) && sources.some(({ file }) => file === name));
  const matching = sources.filter(({ file, text }) => {
    // A title begins a line of its own where the line would be too long, and follows the cases of `test.each`.
    const titles = [...text.matchAll(/(?:\b(?:test|it|describe)\b[^'"`\n]*?|\]\)\()\s*(['"`])(.*?)\1/g)].map(
      ([, , title]) => title,
    );
    return words.some(
      (word, at) => file.includes(named[at] || word) || titles.some((title) => title?.includes(word)),
    );
  });
  const files = matching.map(({ file }) => file).filter(isTest);
  if (given.length === 0) return files;
  return [...new Set([...files, ...testsOf(given, sources, readImports(root, sources))])];
}

/**
 * The tests that depend on what changed since main, on main since the last commit. End-to-end tests are chosen by the name
 * of the screen that a file belongs to.
 * @returns {{ files: string[], shared: string[] }} paths from the root: tests, and what changed that other tests may depend on
 */
export function testsOfChange() {
  // A clone of another branch has main only as the branch of its origin.
  const [main] = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/*/main');
  if (main === undefined) throw new Error('There is no branch main to compare with: run npm test.');
  const [base = main] = git('merge-base', 'HEAD', main);
  const changed = [
    ...git('diff', '--name-only', '-z', base),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  const sources = readSources(root);
  const files = testsOf(changed, sources, readImports(root, sources));
  const shared = changed.filter(
    (file) =>
      // Those of the root and of e2e/ itself configure the tests.
      /^(?:apps|packages)\/|^(?:e2e\/)?[^/]*$/.test(file) &&
      !isTest(file) &&
      !file.endsWith('.md') &&
      screens(file).length === 0,
  );
  return { files, shared };
}

/**
 * @param {readonly string[]} changed paths from the root
 * @param {readonly { file: string, text: string }[]} sources
 * @param {readonly import('./imports.mjs').Import[]} imports of the sources
 * @returns {string[]}
 */
export function testsOf(changed, sources, imports) {
  /** @type {Map<string | null, { from: string, file: string | null }[]>} */
  const users = Map.groupBy(
    // All end-to-end tests start everything: by imports, each would depend on every source of a server.
    [...imports, ...startsOf(sources)].filter(
      ({ from, file }) => !from.startsWith('e2e/') || file?.startsWith('e2e/'),
    ),
    ({ file }) => file,
  );
  const found = new Set(changed);
  for (const file of found) for (const { from } of users.get(file) ?? []) found.add(from);
  const folders = new Set(changed.flatMap(screens).map((screen) => `e2e/tests/${screen}/`));
  return sources
    .map(({ file }) => file)
    .filter((file) => isTest(file) && (found.has(file) || folders.has(file.replace(/[^/]*$/, ''))));
}

/**
 * What is started as a process of its own, which nothing imports.
 * @param {readonly { file: string, text: string }[]} sources
 */
function startsOf(sources) {
  return sources.flatMap(({ file: from, text }) =>
    [...text.matchAll(/new URL\('([^']+\.m?[jt]s)', import\.meta\.url\)/g)].map(([, script = '']) => ({
      from,
      file: path.posix.join(path.posix.dirname(from), script),
    })),
  );
}

/**
 * The screens that a source belongs to, as it says itself or as its service does.
 * @param {string} file
 * @returns {readonly string[]}
 */
function screens(file) {
  const names = file.replace(/\.\w+$/, '').split('/');
  const own = names.findLast((name) => fs.existsSync(path.join(root, 'e2e/tests', name.replace(/^-/, ''))));
  if (own !== undefined) return isTest(file) ? [] : [own.replace(/^-/, '')];
  return Object.entries(screensOf).find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? [];
}

/** @param {...string} args @returns {string[]} the lines of the answer, or what `-z` separates */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split(/[\0\n]/)
    .filter(Boolean);
}
