// npm run check: types, lint, import directions, format, unused code, forbidden casts, slow expressions, words, size
// budgets.
import { fileURLToPath } from 'node:url';
import { inRoot } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

const { buildPage } = await import('./build.mjs');
const { checkBudgets } = await import('./budgets.mjs');
const { checkCasts } = await import('./casts.mjs');
const { checkExpressions } = await import('./expressions.mjs');
const { checkImports } = await import('./imports.ts');
const { default: writeRouteTree } = await import('./route-tree.mjs');
const { runProgram, runSteps } = await import('./steps.mjs');
const { checkWords } = await import('./words.mjs');

// The budgets read the build's manifest, and the page's types need the route tree.
const built = buildPage();
await writeRouteTree();

/** @type {(bin: string, ...args: string[]) => ReturnType<typeof runProgram>} */
const program = (bin, ...args) =>
  runProgram(process.execPath, [inRoot('node_modules', ...bin.split('/')), ...args]);

const ok = await runSteps(
  [
    { name: 'lockfile', run: checkLockfile },
    { name: 'types of the servers', run: () => program('typescript/bin/tsc', '-p', 'tsconfig.json') },
    { name: 'types of the page', run: () => program('typescript/bin/tsc', '-p', 'apps/web/tsconfig.json') },
    { name: 'lint', run: () => program('oxlint/bin/oxlint', '--type-aware') },
    { name: 'import directions', run: checkImports },
    { name: 'format', run: () => program('oxfmt/bin/oxfmt', '--check') },
    {
      name: 'unused code and dependencies',
      run: () => program('knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'),
    },
    { name: 'casts that hide errors', run: checkCasts },
    { name: 'expressions that take too long', run: checkExpressions },
    { name: 'words', run: checkWords },
    { name: 'size budgets of the page', run: checkBudgets },
  ],
  2,
);
if (!ok || !built) process.exitCode = 1;

/** Whether `npm ci` accepts the lockfile: npm sometimes drops packages of other platforms from it. */
function checkLockfile() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  return runProgram(npm, ['ci', '--dry-run', '--ignore-scripts'], { shell: process.platform === 'win32' });
}
