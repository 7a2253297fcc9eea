import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the working copy, whatever folder the command was started in. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/**
 * A path inside the working copy.
 * @param {...string} parts
 */
export const inRoot = (...parts) => path.join(root, ...parts);
