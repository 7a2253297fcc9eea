// Selects the tests to run: by words, by paths, or by changes.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from './folders.mjs';
import { readImports, readSources } from './imports.ts';

/** Folders of end-to-end tests for sources without a folder of their name: for a service, those of all its screens. */
const screensOf = {
  'apps/web/src/components/conflict': ['conflicts'],
  'apps/web/src/routes/$environment/connections': ['session'],
  'apps/web/src/sign-in': ['session'],
  'apps/access-controller': ['targets', 'sources', 'sessions', 'people'],
  'apps/secrets-server': ['secrets', 'plugins', 'cloud', 'replication'],
  'apps/box-registry': ['boxes'],
  'apps/module-registry': ['modules'],
};

const sources = once(() => readSources(root));
const imports = once(() => readImports(root, sources()));

/**
 * @template Result
 * @param {() => Result} read
 * @returns {() => Result} reads the first time alone
 */
function once(read) {
  /** @type {Result | undefined} */
  let known;
  return () => (known ??= read());
}

/** @param {string} file path from the root */
export function isEndToEnd(file) {
  return /^e2e\/tests\/.*\.spec\.ts$/.test(file);
}

/** @param {string} file */
function isTest(file) {
  return isEndToEnd(file) || /\.test\.tsx?$/.test(file);
}

/**
 * The tests that match any of the words: the path of a source selects the tests that depend on it, other words match
 * paths or titles.
 * @param {readonly string[]} words
 * @returns {{ files: string[], unmatched: string[] }} paths from the root, and the words that match no test
 */
export function testsMatching(words) {
  const tests = sources()
    .filter(({ file }) => isTest(file))
    .map(({ file, text }) => ({ file, titles: titlesIn(text) }));
  const found = words.map((word) => {
    const name = path.relative(root, path.resolve(word)).replaceAll(path.sep, '/');
    if (!isTest(name) && sources().some(({ file }) => file === name)) {
      return testsOf([name]);
    }
    return tests
      .filter(
        ({ file, titles }) => file.includes(name || word) || titles.some((title) => title.includes(word)),
      )
      .map(({ file }) => file);
  });
  return {
    files: [...new Set(found.flat())],
    unmatched: words.filter((_, at) => found[at]?.length === 0),
  };
}

/**
 * The first argument of each `test`, `it` and `describe`, also after the rows of an `each`.
 * @param {string} text
 */
function titlesIn(text) {
  const calls = text.matchAll(
    /(?:\b(?:test|it|describe)\b[^'"`\n]*|^\s*\](?: as const)?\))\(\s*(['"`])(.*?)\1/gm,
  );
  return [...calls].map(([, , title = '']) => title);
}

/**
 * The tests that start a server, a process or a browser, themselves or in an imported test helper. Such a test may fail
 * because a machine is slow, and is run a second time. All others fail immediately.
 * @param {readonly string[]} files paths from the root
 */
export function serviceTests(files) {
  const starting = /\b(?:listen|serve|startStack|runProgram)\(|node:child_process/;
  const starters = new Set(
    sources()
      .filter(({ text }) => starting.test(text))
      .map(({ file }) => file),
  );
  const used = Map.groupBy(imports(), ({ from }) => from);
  /** @type {(file: string) => boolean} */
  const isStarting = (file) =>
    starters.has(file) ||
    (used.get(file) ?? []).some(
      ({ file: helper, typeOnly }) =>
        helper !== null && !typeOnly && /\btest(?:ing)?\//.test(helper) && isStarting(helper),
    );
  return files.filter(isStarting);
}

/**
 * The tests that depend on what changed since main, or, on main, since the last commit. End-to-end tests are selected
 * by the name of a file's screen.
 * @returns {{ files: string[], shared: string[] }} paths from the root: tests, and changes that other tests may depend
 *   on
 */
export function testsOfChange() {
  // A clone of another branch has main only as a remote branch.
  const [main] = git('for-each-ref', '--format=%(refname)', 'refs/heads/main', 'refs/remotes/*/main');
  if (main === undefined) throw new Error('There is no branch main to compare with: run npm test.');
  const [base = main] = git('merge-base', 'HEAD', main);
  const changed = [
    ...git('diff', '--name-only', '-z', base),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  const files = testsOf(changed);
  const shared = changed.filter(
    (file) => !/^e2e\/.*\/|\.md$/.test(file) && !isTest(file) && screens(file).length === 0,
  );
  return { files, shared };
}

/**
 * @param {readonly string[]} changed paths from the root
 * @returns {string[]}
 */
export function testsOf(changed) {
  /** @type {Map<string | null, { from: string, file: string | null }[]>} */
  const users = Map.groupBy(
    // All end-to-end tests start everything, so by imports each would depend on every server source.
    [...imports(), ...starts()].filter(
      ({ from, file }) => !from.startsWith('e2e/') || file?.startsWith('e2e/'),
    ),
    ({ file }) => file,
  );
  const found = new Set(changed);
  for (const file of found) for (const { from } of users.get(file) ?? []) found.add(from);
  const folders = new Set(changed.flatMap(screens).map((screen) => `e2e/tests/${screen}/`));
  return sources()
    .map(({ file }) => file)
    .filter((file) => isTest(file) && (found.has(file) || folders.has(file.replace(/[^/]*$/, ''))));
}

/** What is started as a process of its own, and imported nowhere. */
function starts() {
  return sources().flatMap(({ file: from, text }) =>
    [...text.matchAll(/new URL\('([^']+\.m?[jt]s)', import\.meta\.url\)/g)].map(([, script = '']) => ({
      from,
      file: path.posix.join(path.posix.dirname(from), script),
    })),
  );
}

/**
 * The screens of a source: the last folder or file in its path that names a folder of end-to-end tests, or those of
 * {@link screensOf}.
 * @param {string} file
 * @returns {readonly string[]}
 */
function screens(file) {
  if (isTest(file)) return [];
  const names = file.replace(/\.\w+$/, '').split('/');
  const own = names
    .map((name) => name.replace(/^-|^(?:host|credential)-(?=sources$)/, ''))
    .findLast((name) => fs.existsSync(path.join(root, 'e2e/tests', name)));
  if (own !== undefined) return [own];
  return Object.entries(screensOf).find(([folder]) => file.startsWith(`${folder}/`))?.[1] ?? [];
}

/**
 * @param {...string} args
 * @returns {string[]} the lines of the output, or what `-z` separates
 */
function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split(/[\0\n]/)
    .filter(Boolean);
}
