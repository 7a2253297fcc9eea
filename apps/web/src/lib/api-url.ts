import type { Address } from '@gatehouse/api-types/contract';

/** A query value, sent as text. */
export type QueryValue = string | number | boolean | undefined;

/**
 * The URL of an operation. Each parameter is encoded as one segment; undefined query values are omitted.
 * @throws RangeError for a segment that a path can't contain: empty, or `.` and `..`, which browsers resolve.
 */
export function apiUrl(
  endpoint: Pick<Address, 'path'>,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (value === '' || value === '.' || value === '..') {
      throw new RangeError(`"${value}" cannot be the ${name} in ${endpoint.path}.`);
    }
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
