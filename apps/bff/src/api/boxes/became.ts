/** Finds out whether changes at the box registry with lost answers were made, by reading the registry once. */
import { leeway, ifOwn, type Became } from '#audit/became.ts';
import type { WhatBecame } from '#operation/operation.ts';
import { boxesCaller } from './caller.ts';
import { holds } from './holds.ts';
import type { RecordKind, Stored } from './record-kind.ts';

/** Whether a record was created. */
export function created<Place extends object, Within extends object, New extends object>(
  kind: Pick<RecordKind<Place, Stored, never, Within, New>, 'made' | 'compared' | 'read'>,
): WhatBecame {
  return async (context, call, intent, { params, body }) => {
    const fields = body as New;
    const found = await kind.read(await boxesCaller(context, call), kind.made(params as Within, fields));
    if (found === null) return ifOwn(intent, call, 'failed');
    const since = found.created_time === undefined ? Number.NaN : Date.parse(found.created_time);
    // A record that is older than the intent is the reason why this creation was refused.
    if (since < intent.time - leeway) return { outcome: 'failed' };
    return outcome(holds(found, kind.compared?.(fields) ?? fields) ? 'succeeded' : 'unknown', intent, found);
  };
}

/** Whether a record was deleted. */
export function deleted<Place extends object>(
  kind: Pick<RecordKind<Place, Stored, never>, 'read'>,
): WhatBecame {
  return async (context, call, intent, { params }) => {
    const found = await kind.read(await boxesCaller(context, call), params as Place);
    if (found === null) return ifOwn(intent, call, 'succeeded');
    // A later record of the same name has taken its place.
    const since = Date.parse(found.created_time ?? '');
    return {
      outcome: since > intent.time + leeway ? 'succeeded' : since > intent.time ? 'unknown' : 'failed',
    };
  };
}

/** Whether a record was changed. A renamed record is also looked for under its new name. */
export function changed<Place extends object, Changes extends object>(
  kind: Pick<RecordKind<Place, Stored, Changes>, 'moved' | 'read'>,
): WhatBecame {
  return async (context, call, intent, { params, body, revision }) => {
    const caller = await boxesCaller(context, call);
    const at = params as Place;
    const found = (await kind.read(caller, at)) ?? (await kind.read(caller, kind.moved(at, body as Changes)));
    if (found === null) return { outcome: 'unknown' };
    if (found.revision === revision) return outcome('failed', intent, found);
    return outcome(holds(found, body) ? 'succeeded' : 'unknown', intent, found);
  };
}

/** The outcome, with the record's current revision unless the outcome is unknown. */
export function outcome(
  decided: Became['outcome'],
  { resource_id: id }: Parameters<WhatBecame>[2],
  { revision }: Stored,
): Became {
  return decided === 'unknown' ? { outcome: decided } : { outcome: decided, stored: { id, revision } };
}
