import type { Request } from 'express';
import { FieldFaults, notFound } from '../domain/refusal.ts';
import type { Within } from '../domain/resource.ts';
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
  const place = readGlobalPlace(context, req, faults);
  const allowance = allowanceOf(context, req);
  const filter = await readFilter(new QueryReader(req, faults).string('filter'), allowance, faults);
  faults.refuseAny();
  const isGlobal = place.within() === 'all';
  return async (items, toWire) =>
    wireList(isGlobal ? await filtered(items, toWire, filter, allowance.slices) : []);
}

/** Where a list of items reads that all belong to the global scope. */
export interface GlobalPlace {
  /** The parameters that identify it. */
  readonly of: readonly string[];
  /** @throws Refusal `not found` */
  within(): Within;
}

/** Reads the parameters `scope_id` and `recursive` of such a list, and adds their faults. */
export function readGlobalPlace(context: Context, req: Request, faults: FieldFaults): GlobalPlace {
  const query = new QueryReader(req, faults);
  const scopeId = query.string('scope_id');
  const recursive = query.boolean('recursive');
  if (!isScopeId(scopeId) && !(scopeId === '' && recursive)) {
    faults.add(
      'scope_id',
      "This field must be 'global' or a valid org scope id or the list operation must be recursive.",
    );
  }
  return {
    of: [scopeId, recursive ? 'recursive' : ''],
    within() {
      if (scopeId === '' || scopeId === globalScopeId) return 'all';
      if (context.scopes.get(scopeId) === undefined) throw notFound();
      return { in: scopeId };
    },
  };
}
