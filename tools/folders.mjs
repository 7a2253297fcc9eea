import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the working copy, whatever the current folder is. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * A path inside the working copy.
 * @param {...string} parts
 */
export const inRoot = (...parts) => path.join(root, ...parts);
