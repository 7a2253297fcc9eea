import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';

/** A page's address as its router writes it, with what a first visit loads and requests. */
interface FirstVisit extends Requests {
  readonly path: string;
  readonly kind: string;
  readonly files: readonly string[];
}

/** Requests with `$name` for parts of the page's address: those that are always sent, and those for unsearched rows. */
interface Requests {
  readonly always: readonly string[];
  readonly rows: readonly string[];
}

/** What the document of an address names, so that a browser starts with it immediately. */
export interface Beginning extends Requests {
  /** The address as the router writes it. */
  readonly path: string;
  readonly scripts: readonly string[];
}

/** The services of an environment; undefined for an unknown environment. */
export type ServicesOf = (environment: string) => readonly ServiceName[] | undefined;

const nothing: Beginning = { path: '', scripts: [], always: [], rows: [] };

/**
 * Reads the build's record of first visits (`apps/web/chunks/gather-chunks.ts`).
 * @param webRoot folder of the built page
 * @returns what the page at an address starts with: the shared part for an unknown address, nothing without a record;
 *   the same object for the same page. Users who aren't signed in are led to the sign-in page, and only that page may
 *   request something then.
 */
export function firstVisits(
  webRoot: string,
  servicesOf: ServicesOf,
): (address: string, isSignedIn: boolean) => Beginning {
  const file = join(webRoot, '.vite', 'first-visits.json');
  if (!existsSync(file)) return () => nothing;
  const visits = (JSON.parse(readFileSync(file, 'utf8')) as readonly FirstVisit[])
    .map(({ path, kind, files, always, rows }) => {
      const beginning = { path, scripts: files.filter((name) => name.endsWith('.js')), always, rows };
      return {
        kind,
        pattern: patternOf(path),
        rank: path.replace(/\$$/, '~~').replaceAll('$', '~'),
        signedIn: beginning,
        signedOut: kind === 'sign-in' ? beginning : { ...beginning, always: [], rows: [] },
      };
    })
    // Of two matching patterns, the more specific one: a literal name comes before a parameter.
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const narrow = narrowing();
  const other = visits.find(({ kind }) => kind === 'shell');
  return (address, isSignedIn) => {
    const visit = visits.find(({ pattern }) => pattern.test(address)) ?? other;
    const beginning = visit?.[isSignedIn ? 'signedIn' : 'signedOut'] ?? nothing;
    return narrow(beginning, servicesOf(address.split('/')[1] ?? ''));
  };
}

/** What pages start with in an environment. Services that it doesn't have aren't called. */
function narrowing(): (beginning: Beginning, services: readonly ServiceName[] | undefined) => Beginning {
  const narrowed = new Map<Beginning, Map<string, Beginning>>();
  return (beginning, services) => {
    if (services === undefined) return beginning;
    const known = narrowed.get(beginning) ?? new Map<string, Beginning>();
    narrowed.set(beginning, known);
    const key = services.join(' ');
    const found = known.get(key) ?? {
      ...beginning,
      always: beginning.always.filter((request) => isThere(request, services)),
      rows: beginning.rows.filter((request) => isThere(request, services)),
    };
    known.set(key, found);
    return found;
  };
}

function isThere(request: string, services: readonly ServiceName[]): boolean {
  const part = /^\/api\/environments\/\$environment\/(\w+)/.exec(request)?.[1];
  const service = serviceNames.find((name) => name === part);
  return service === undefined || services.includes(service);
}

/** `$name` matches one part of an address, `$` at the end all remaining parts. */
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
