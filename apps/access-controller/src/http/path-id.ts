import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { invalidField } from '../domain/refusal.ts';

/** The id in a request's path. @throws Refusal `invalid argument` on field `id` when its form is not one of a `prefix` */
export function pathId(req: Request, ...prefixes: readonly string[]): string {
  const id = req.params['id'];
  if (isId(id, ...prefixes)) return id;
  throw invalidField('id', 'Invalid formatted identifier.');
}
