import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { invalidField } from '../domain/refusal.ts';

/**
 * The ID in a request's path.
 * @throws Refusal `invalid argument` on field `id` if it has none of the prefixes or isn't well-formed
 */
export function pathId(req: Request, ...prefixes: readonly string[]): string {
  const id = req.params['id'];
  if (isId(id, ...prefixes)) return id;
  throw invalidField('id', 'Invalid formatted identifier.');
}
