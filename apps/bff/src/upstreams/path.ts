/** Builds the paths of requests to services from names that may come from anyone. */

import { ProblemError } from '#ground/problem.ts';

/** The name can't be a path segment: it would change the path, or be read differently by a proxy or the service. */
export class SegmentRefused extends ProblemError {
  override readonly name = 'SegmentRefused';

  constructor(name: string, why: string) {
    super('invalid-request', `${JSON.stringify(name)} can't be part of a URL: ${why}.`);
  }
}

/**
 * Encodes a name as one path segment. The name is already decoded, so a percent sign is a percent sign.
 * @throws SegmentRefused for the empty name, `.`, `..`, a name longer than 1,024 characters, and names with a slash, a
 * control character or half of a surrogate pair
 */
export function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new SegmentRefused(name, 'it means another path');
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[/\u0000-\u001f\u007f]/.test(name))
    throw new SegmentRefused(name, 'it contains a slash or a control character');
  if (!name.isWellFormed()) throw new SegmentRefused(name, "it isn't valid Unicode");
  if (name.length > 1024)
    throw new SegmentRefused(`${name.slice(0, 64)}…`, 'it is longer than 1,024 characters');
  return encodeURIComponent(name);
}

/** Whether a name can be a path segment. */
export function isSegment(name: string): boolean {
  try {
    segment(name);
    return true;
  } catch (error) {
    if (error instanceof SegmentRefused) return false;
    throw error;
  }
}

/**
 * Builds a request path from the service's prefix, names as segments, an action and a query.
 * @param prefix literal start, from the configuration and the client's code: `/v1/targets`
 * @param names one segment each
 * @param options action: literal verb appended with a colon; query: values that are left out when undefined
 * @throws SegmentRefused if a name is refused, or the built path would be read as another one
 */
export function buildPath(
  prefix: string,
  names: readonly string[] = [],
  options: {
    readonly action?: string;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  } = {},
): string {
  let path = [prefix, ...names.map(segment)].join('/');
  if (options.action !== undefined) path += `:${options.action}`;
  // A URL parser must read the path exactly as it was built, with nothing collapsed and nothing outside the prefix.
  const parsed = new URL(path, 'http://service.invalid');
  if (parsed.origin !== 'http://service.invalid' || parsed.pathname !== path || !path.startsWith(prefix)) {
    throw new SegmentRefused(path, 'it would be read as a different path');
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
