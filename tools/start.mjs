// npm start, npm run dev, npm run demo. Plain JavaScript, because it must run on any Node from 20 on.
import fs from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { inRoot, root } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueAs, continueInLockedNode } from './locked-node.mjs';

const mode = process.argv[2] ?? 'start';
if (!['start', 'dev', 'demo'].includes(mode)) {
  process.stderr.write(`"${mode}" is not a way to start: npm start, npm run dev or npm run demo.\n`);
  process.exit(1);
}
ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

if (mode === 'dev') {
  await continueAs(['--watch', '--watch-preserve-output', inRoot('tools', 'dev.mjs')]);
} else {
  const { buildStale, serverBundle, webRoot } = await import('./build.mjs');
  if (!buildStale()) process.exit(1);
  fs.mkdirSync(inRoot('.cache', 'compiled'), { recursive: true });
  module.enableCompileCache(inRoot('.cache', 'compiled'));
  const { start } = await import(serverBundle);
  await start({ mode, root, webRoot });
}
