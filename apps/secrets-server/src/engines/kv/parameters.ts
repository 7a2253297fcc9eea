import type { Request } from '../../core/backend.ts';
import { integerListField, toInteger } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';

/** A number of the query that must not be negative; 0 when it is missing. @throws Refusal 400 */
export function countParameter({ query }: Request, name: string): number {
  const count = toInteger(query.get(name) ?? undefined, name) ?? 0;
  if (count < 0) throw badRequest(`"${name}" must not be negative`);
  return count;
}

/** The versions that a body names. @throws Refusal 400 when it names none */
export function versionsParameter({ body }: Request): ReadonlySet<number> {
  const versions = integerListField(body, 'versions') ?? [];
  if (versions.length === 0) throw badRequest('No version number provided');
  return new Set(versions);
}

/** The JSON text of a body's `data`, which must be a map. @throws Refusal 400 */
export function dataParameter({ body }: Request): string {
  const data = body.values['data'];
  const text = body.text('data');
  if (data === undefined || data === null || text === undefined) throw badRequest('no data provided');
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw badRequest('Field validation failed: error converting input for field "data": not a map');
  }
  return text;
}

/** A key's path for a write. @throws Refusal 400 when it is empty */
export function keyPath(path: string | undefined): string {
  if (path === undefined || path === '') throw badRequest('missing path');
  return path;
}
