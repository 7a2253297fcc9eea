import { createHash } from 'node:crypto';

/**
 * The revision of a record that its service keeps without one: a hash of the editable fields, whatever the order of
 * their keys.
 */
export function hashOf(fields: object): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(fields)))
    .digest('hex')
    .slice(0, 32);
}

/** A value whose JSON text doesn't depend on the order of its keys. */
export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]: [string, unknown]) => [key, sorted(one)]);
}
