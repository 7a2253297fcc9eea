import { spawnSync } from 'node:child_process';
import { inRoot, root } from './folders.mjs';
import { freshness } from './stamp.mjs';

/** Paths of the built page and the built server. */
export const webRoot = inRoot('apps', 'web', 'dist');
export const serverBundle = inRoot('apps', 'stack', 'dist', 'start.js');

/**
 * @typedef {object} Part
 * @property {string} name in words, for messages
 * @property {string[]} inputs files and folders that it is built from, relative to the root
 * @property {string} output a file that the build leaves
 * @property {string} stampFile
 * @property {readonly [string, ...string[]]} command script of a package, and its arguments
 * @property {string} folder where the command runs
 */

/** @type {Part} */
const page = {
  name: 'the page',
  inputs: [
    'package-lock.json',
    'tsconfig.base.json',
    'apps/web',
    'packages/ui',
    'packages/api-types',
    'packages/filter-expression',
    'packages/record-merge',
  ],
  output: inRoot('apps/web/dist/index.html'),
  stampFile: inRoot('.cache/page.sha256'),
  command: ['vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  folder: inRoot('apps/web'),
};

/** @type {Part} */
const server = {
  name: 'the server',
  inputs: [
    'package-lock.json',
    'tsconfig.base.json',
    'rolldown.config.ts',
    'apps/stack',
    'apps/bff',
    'apps/access-controller',
    'apps/box-registry',
    'apps/module-registry',
    'apps/secrets-server',
    'packages/api-types',
    'packages/filter-expression',
    'packages/module-archive',
    'packages/record-merge',
    'packages/service-kit',
  ],
  output: serverBundle,
  stampFile: inRoot('.cache/server.sha256'),
  command: ['rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--logLevel', 'warn'],
  folder: root,
};

/**
 * Builds the page and the server bundle if their sources changed since the last build, and shows the builder's output
 * if it fails.
 * @returns {boolean} whether both are current now
 */
export function buildStale() {
  return [page, server].every(build);
}

/**
 * Like `buildStale`, for the page only.
 * @returns {boolean} whether it is current now
 */
export function buildPage() {
  return build(page);
}

/** @param {Part} part */
function build({ name, command: [bin, ...args], folder, ...what }) {
  const state = freshness(what);
  if (!state.stale) return true;
  process.stderr.write(`Building ${name} …\n`);
  // Whatever environment the console is started in, the page is built for production.
  const env = { ...process.env, NODE_ENV: 'production' };
  const result = spawnSync(process.execPath, [inRoot('node_modules', bin), ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status !== 0) {
    process.stderr.write(`${result.stdout}${result.stderr}`);
    process.stderr.write(`${name.replace('the', 'The')} could not be built.\n`);
    return false;
  }
  state.done();
  return true;
}
