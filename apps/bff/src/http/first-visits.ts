import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';

/** A page's address, as its router writes it, and what a first visit of it loads and asks for. */
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

/** What the document of an address names, so that a browser begins with it at once. */
export interface Beginning extends Requests {
  /** The address as its router writes it. */
  readonly path: string;
  readonly scripts: readonly string[];
}

/** The services of an environment; undefined of an unknown one. */
export type ServicesOf = (environment: string) => readonly ServiceName[] | undefined;

const nothing: Beginning = { path: '', scripts: [], always: [], rows: [] };

/**
 * Reads what the build wrote down about first visits (`apps/web/chunks/gather-chunks.ts`).
 * @param webRoot folder of the built page
 * @returns what the page at an address begins with: what all pages do where the address is not known, nothing where
 * nothing was written down; the same object for the same page. Who is not signed in is led to the sign-in page, which alone
 * may ask for something then.
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
    // Of two patterns that match, the one that says more: a name comes before what stands for any name.
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
  const narrow = narrowing();
  const other = visits.find(({ kind }) => kind === 'shell');
  return (address, isSignedIn) => {
    const visit = visits.find(({ pattern }) => pattern.test(address)) ?? other;
    const beginning = visit?.[isSignedIn ? 'signedIn' : 'signedOut'] ?? nothing;
    return narrow(beginning, servicesOf(address.split('/')[1] ?? ''));
  };
}

/** What pages begin with in an environment: nothing is asked of services that it doesn't have. */
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
