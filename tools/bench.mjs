// npm run bench: installs what is missing, then runs the benchmark on the locked Node; arguments are passed on.
import { fileURLToPath } from 'node:url';
import { inRoot } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));
await import(inRoot('bench', 'target.ts'));
