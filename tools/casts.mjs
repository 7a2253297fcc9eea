import fs from 'node:fs';
import { inRoot, root } from './folders.mjs';

const forbidden = /\bas unknown as\b|@ts-(ignore|expect-error|nocheck)/;

/**
 * Finds casts and comments that disable the compiler's checks. No lint rule finds these casts.
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function checkCasts() {
  const found = [];
  const files = fs.globSync('{apps,packages,e2e,bench}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist' || name.endsWith('.gen.ts'),
  });
  for (const file of files) {
    for (const [index, line] of fs.readFileSync(inRoot(file), 'utf8').split('\n').entries()) {
      if (forbidden.test(line)) found.push(`${file}:${index + 1}: ${line.trim()}`);
    }
  }
  return { ok: found.length === 0, output: found.join('\n') };
}
