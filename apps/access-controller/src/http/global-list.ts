import type { Request } from 'express';
import { FieldFaults, notFound } from '../domain/refusal.ts';
import { globalScopeId } from '../domain/scope.ts';
import type { Context } from './context.ts';
import { allowanceOf, filtered, readFilter } from './filter.ts';
import { QueryReader } from './query.ts';
import { isScopeId } from './scopes/scopes.ts';
import { wireList } from './wire/list.ts';

/** Builds a list answer from items that all belong to the global scope. */
export type GlobalList = <Item>(
  items: readonly Item[],
  toWire: (item: Item) => Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * Reads the parameters of such a list (`scope_id`, `recursive`, `filter`). For the global scope, with or without
 * `recursive`, the answer has all items that match the filter; for any other scope it is empty.
 * @throws Refusal `invalid argument`, `not found`
 * @throws HttpError 499 if the client has disconnected
 */
export async function readGlobalList(context: Context, req: Request): Promise<GlobalList> {
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id');
  const recursive = query.boolean('recursive');
  const allowance = allowanceOf(context, req);
  const filter = await readFilter(query.string('filter'), allowance, faults);
  if (!isScopeId(scopeId) && !(scopeId === '' && recursive)) {
    faults.add(
      'scope_id',
      "This field must be 'global' or a valid org scope id or the list operation must be recursive.",
    );
  }
  faults.refuseAny();
  if (scopeId !== '' && context.scopes.get(scopeId) === undefined) throw notFound();
  const isGlobal = scopeId === '' || scopeId === globalScopeId;
  return async (items, toWire) =>
    wireList(isGlobal ? await filtered(items, toWire, filter, allowance.slices) : []);
}
