import type { Request } from '../../core/backend.ts';
import { integerListField, numberParameter } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';

/**
 * Reads the version from the query; 0, which means the current one, if it is missing or negative.
 * @throws Refusal 400
 */
export function versionParameter(request: Request): number {
  return Math.max(0, numberParameter(request, 'version'));
}

/** Reads the versions from a body. @param none the message if the body lists none @throws Refusal 400 */
export function versionsParameter({ body }: Request, none: string): ReadonlySet<number> {
  const versions = integerListField(body, 'versions') ?? [];
  if (versions.length === 0) throw badRequest(none);
  return new Set(versions);
}

/** Returns the JSON text of a body's `data`, which must be a map. @throws Refusal 400 */
export function dataParameter({ body }: Request): string {
  const data = body.values['data'];
  const text = body.text('data');
  if (data === undefined || data === null || text === undefined) throw badRequest('no data provided');
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw badRequest('Field validation failed: error converting input for field "data": not a map');
  }
  return text;
}

/** Returns a key's path for a write. @throws Refusal 400 if it is empty */
export function keyPath(path: string | undefined): string {
  if (path === undefined || path === '') throw badRequest('missing path');
  return path;
}
