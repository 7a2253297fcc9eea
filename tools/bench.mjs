// npm run bench: installs what is missing, then runs all benchmarks, or the first-named one, on the locked Node.
// Further arguments are passed on.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inRoot } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

const benchmarks = [
  'target',
  'secrets',
  'replication',
  'boxes',
  'modules',
  'uploads',
  'moves',
  'page',
  'strangers',
];

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));
const [first, ...rest] = process.argv.slice(2);
const named = first !== undefined && benchmarks.includes(first);
for (const benchmark of named ? [first] : benchmarks) {
  const args = named ? rest : process.argv.slice(2);
  const { status } = spawnSync(process.execPath, [inRoot('bench', `${benchmark}.ts`), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
