/** Finds out whether changes at the access controller with lost answers were made, by reading the controller once. */
import { members, setAction } from '@gatehouse/api-types/console/record-fields';
import * as z from 'zod/mini';
import { leeway, ifOwn } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { Context } from '#operation/context.ts';
import type { WhatBecame } from '#operation/operation.ts';
import { hasSent } from '#upstreams/access-controller/bodies.ts';
import type { Collection, StoredRecord } from '#upstreams/access-controller/collection.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { accessCaller } from './caller.ts';
import { holdsChange } from './membership.ts';
import { readStored } from './stored-record.ts';

type Records<Item extends StoredRecord = StoredRecord> = Collection<Item, never, never>;

/** Whether a record was created. */
export function created(records: Records): WhatBecame {
  return async (context, call, intent, wish) => {
    const caller = await accessCaller(context, call);
    const unique = wish.body[records.uniqueField];
    const place = wish.body[records.container];
    // A record without a unique name can't be distinguished from similar ones.
    if (typeof unique !== 'string' || unique === '') return { outcome: 'unknown' };
    const page = await records.list(caller, {
      filter: fieldIs(records.uniqueField, unique),
      [records.container]: typeof place === 'string' ? place : 'global',
    });
    const found = page.items.find((item) => hasSent(item, wish.body));
    if (found === undefined) return ifOwn(intent, call, 'failed');
    const since = 'created_time' in found ? Date.parse(String(found.created_time)) : Number.NaN;
    // A record that is older than the intent is the reason why this creation was refused.
    return since >= intent.time - leeway ? { outcome: 'succeeded', stored: found } : { outcome: 'failed' };
  };
}

/** Kinds whose contents a controller may delete first, in several writes, so a deletion can be done in part. */
const containers: ReadonlySet<string> = new Set(['host-catalog', 'credential-store']);

/** Whether a record was deleted. */
export function deleted(records: Records): WhatBecame {
  return async (context, call, intent) => {
    const stored = await readStored(records, await accessCaller(context, call), intent.resource_id);
    if (stored === null) return ifOwn(intent, call, 'succeeded');
    return { outcome: containers.has(records.kind) ? 'unknown' : 'failed' };
  };
}

/**
 * Whether a record was changed.
 * @param isAsWished whether the record has the requested values; undefined if they can't be compared
 */
export function changed<Item extends StoredRecord>(
  records: Records<Item>,
  isAsWished: (stored: Item, wish: Wish) => boolean | undefined = hasFields,
): WhatBecame {
  return async (context, call, intent, wish) => {
    const stored = await readStored(records, await accessCaller(context, call), intent.resource_id);
    if (stored === null) return { outcome: 'unknown' };
    if (stored.revision === wish.revision) return { outcome: 'failed', stored };
    const wanted = isAsWished(stored, wish);
    if (wanted === true) return { outcome: 'succeeded', stored };
    // If the only later write wrote other values, it was someone else's, and this one was refused.
    const oneLater = Number(stored.revision) === Number(wish.revision) + 1;
    if (oneLater) return wanted === false ? { outcome: 'failed', stored } : { outcome: 'succeeded', stored };
    return { outcome: 'unknown' };
  };
}

/**
 * What follows from a change. It begins before the change, and is carried out once the change was made or may have been.
 * @returns carries it out, and returns what was done, for the trail
 */
export type Sequel = (
  context: Context,
  of: { readonly params: { readonly environment: string; readonly id: string } },
) => Promise<() => Promise<readonly string[]>>;

/** Carries out the sequel of a change that is found to have been made. @param sequelOf by the request's body */
export function followed(became: WhatBecame, sequelOf: (body: object) => Sequel | undefined): WhatBecame {
  return async (context, call, intent, wish) => {
    const found = await became(context, call, intent, wish);
    const params = { environment: call.params.environment, id: intent.resource_id };
    if (found.outcome === 'succeeded') await (await sequelOf(wish.body)?.(context, { params }))?.();
    return found;
  };
}

/** Secrets can't be compared. */
function hasFields(stored: object, { body, secret }: Wish): boolean | undefined {
  const equal = hasSent(stored, body);
  return equal && secret ? undefined : equal;
}

/** Whether sets of IDs are as the change requested. */
export function hasMembers<Name extends string>(...names: readonly Name[]) {
  return (stored: { readonly [One in Name]: readonly string[] }, { body }: Wish): boolean => {
    const action = z.parse(setAction, body['action']);
    return names.every(
      (name) => body[name] === undefined || holdsChange(stored[name], action, z.parse(members, body[name])),
    );
  };
}
