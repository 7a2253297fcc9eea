// npm run rotate-keys: a new key for what the console and its services store encrypted.
import { fileURLToPath } from 'node:url';
import { root } from './folders.mjs';
import { ensureInstalled } from './install.mjs';
import { continueInLockedNode } from './locked-node.mjs';

ensureInstalled();
await continueInLockedNode(fileURLToPath(import.meta.url));

const { rotateKeysCommand } = await import('../apps/stack/src/rotate-keys.ts');
rotateKeysCommand(root);
