import type { Address } from '@gatehouse/api-types/contract';

/** What a query may hold; written as text. */
export type QueryValue = string | number | boolean | undefined;

/**
 * The address of an operation. Parameters are encoded as one segment each; values of the query that are undefined
 * are left out.
 * @throws RangeError for a segment that no path can hold: empty, `.` or `..`, which a browser resolves away.
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
