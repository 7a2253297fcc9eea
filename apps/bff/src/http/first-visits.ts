import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A page's address, as its router writes it, and the files that a first visit of it loads. */
interface FirstVisit {
  readonly path: string;
  readonly kind: string;
  readonly files: readonly string[];
}

/**
 * Reads what the build wrote down about first visits (`apps/web/chunks/gather-chunks.ts`).
 * @param webRoot folder of the built page
 * @returns the scripts that the page at an address loads: those that all pages load where the address is not known, none
 * where nothing was written down
 */
export function firstVisits(webRoot: string): (address: string) => readonly string[] {
  const file = join(webRoot, '.vite', 'first-visits.json');
  if (!existsSync(file)) return () => [];
  const visits = (JSON.parse(readFileSync(file, 'utf8')) as readonly FirstVisit[])
    .map(({ path, kind, files }) => ({
      kind,
      pattern: patternOf(path),
      rank: path.replace(/\$$/, '~~').replaceAll('$', '~'),
      scripts: files.filter((name) => name.endsWith('.js')),
    }))
    // Of two patterns that match, the one that says more: a name comes before what stands for any name.
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const other = visits.find(({ kind }) => kind === 'shell')?.scripts ?? [];
  return (address) => visits.find(({ pattern }) => pattern.test(address))?.scripts ?? other;
}

/** `$name` stands for one part of an address, `$` at its end for all the rest. */
function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .slice(1)
    .map((part, index, all) => {
      if (part === '$' && index === all.length - 1) return '(?:/.*)?';
      return part.startsWith('$') ? '/[^/]+' : `/${RegExp.escape(part)}`;
    });
  return new RegExp(`^${parts.join('')}/?$`);
}
