import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import { badRequest, notFound } from '../core/refusal.ts';

/** The parsed target of a request. */
export interface Target {
  /** Percent-decoded once, without `/v1/`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const prefix = '/v1/';
const noQuery = new URLSearchParams();
/** Most query parameters: parsing thousands would take longer than most requests. */
const mostParameters = 100;
// Control characters would allow several spellings of one name, or break lines in logs.
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u001f\u007f]/;

/**
 * Parses a request's target.
 * @throws Refusal 404 outside `/v1/`; 400 for `.` and `..` segments, malformed escapes, control characters, and too many
 *   or repeated parameters
 */
export function parseTarget(url: string): Target {
  if (!url.startsWith(prefix)) throw notFound();
  const mark = url.indexOf('?');
  const raw = mark === -1 ? url.slice(prefix.length) : url.slice(prefix.length, mark);
  let path: string;
  try {
    path = raw.includes('%') ? decodeURIComponent(raw) : raw;
  } catch {
    throw badRequest('malformed path');
  }
  if (forbidden.test(path)) throw badRequest('path contains control characters');
  if (path.includes('.') && path.split('/').some((segment) => segment === '.' || segment === '..')) {
    throw badRequest('relative paths not supported');
  }
  if (url.split('&', mostParameters + 1).length > mostParameters)
    throw badRequest('too many query parameters');
  if (path.includes('//') || path.startsWith('/')) path = path.replace(/\/{2,}/g, '/').replace(/^\//, '');
  return { path, query: mark === -1 ? noQuery : queryOf(url.slice(mark + 1)) };
}

/** Parses a query. A policy might judge another value of a repeated parameter than the one that is used. */
function queryOf(text: string): URLSearchParams {
  const query = new URLSearchParams(text);
  const names = new Set<string>();
  for (const name of query.keys()) {
    if (names.has(name)) throw badRequest(`query parameter ${JSON.stringify(name)} is given more than once`);
    names.add(name);
  }
  return query;
}

/** Normalizes a namespace from a header: no leading slash, one trailing slash; empty for the root. */
export function namespacePath(text: string): string {
  const inner = trimSlashes(text.trim());
  return inner === '' || inner === 'root' ? '' : `${inner}/`;
}
