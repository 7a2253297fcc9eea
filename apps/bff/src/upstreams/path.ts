/** Builds the paths of requests to services from names that may come from anyone. */

import { ProblemError } from '#ground/problem.ts';

/** The name can't be a path segment: it would change the path, or be read differently by a proxy or the service. */
export class SegmentRefused extends ProblemError {
  override readonly name = 'SegmentRefused';

  constructor(name: string, why: string) {
    const short = name.length > 64 ? `${name.slice(0, 64)}…` : name;
    super('invalid-request', `${JSON.stringify(short)} can't be part of a URL: ${why}.`);
  }
}

/** Longest path with its query, in UTF-16 code units before encoding. Most servers accept 16 KiB. */
const longestPath = 16 * 1024;

function tooLong(path: string): SegmentRefused {
  return new SegmentRefused(path, 'with the rest of its path, it is longer than 16,384 characters');
}

/**
 * The names in a path with slashes, which may come from a service.
 * @throws SegmentRefused for a longer path than a URL can have
 */
export function namesIn(path: string): string[] {
  if (path.length > longestPath) throw tooLong(path);
  return path.split('/');
}

/**
 * Encodes a name as one path segment. The name is already decoded, so a percent sign is a percent sign.
 * @throws SegmentRefused for the empty name, `.`, `..`, a name longer than 1,024 characters, and names with a slash, a
 * control character or half of a surrogate pair
 */
export function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') throw new SegmentRefused(name, 'it means another path');
  if (name.length > 1024) throw new SegmentRefused(name, 'it is longer than 1,024 characters');
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[/\u0000-\u001f\u007f]/.test(name))
    throw new SegmentRefused(name, 'it contains a slash or a control character');
  if (!name.isWellFormed()) throw new SegmentRefused(name, "it isn't valid Unicode");
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
 * @throws SegmentRefused if a name is refused, the built path would be read as another one, or all is too long
 */
export function buildPath(
  prefix: string,
  names: readonly string[] = [],
  options: {
    readonly action?: string;
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  } = {},
): string {
  const values = Object.entries(options.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  let length = prefix.length;
  for (const text of [...names, ...values.flat()]) {
    length += text.length + 1;
    if (length > longestPath) throw tooLong(text);
  }
  let path = [prefix, ...names.map(segment)].join('/');
  if (options.action !== undefined) path += `:${options.action}`;
  // A URL parser must read the path exactly as it was built, with nothing collapsed and nothing outside the prefix.
  const parsed = new URL(path, 'http://service.invalid');
  if (parsed.origin !== 'http://service.invalid' || parsed.pathname !== path || !path.startsWith(prefix)) {
    throw new SegmentRefused(path, 'it would be read as a different path');
  }
  const text = new URLSearchParams(values.map(([name, value]) => [name, value])).toString();
  return text === '' ? path : `${path}?${text}`;
}
