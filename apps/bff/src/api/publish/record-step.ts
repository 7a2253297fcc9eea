/** A step's change of a record at the registry, with its own entry in the audit trail. */
import type { ActivityAction } from '@gatehouse/api-types/console/endpoints';
import type { ExistingDecision } from '@gatehouse/api-types/console/publish';
import type { RecordKind, Stored } from '#api/boxes/record-kind.ts';
import {
  createStored,
  idOf,
  storedRecord,
  updateStored,
  type RecordCall,
  type Updatable,
} from '#api/boxes/records.ts';
import { conflict } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';

type StepCall = Pick<RecordCall<object>, 'note' | 'guard'> & { readonly body: ExistingDecision };

/** Creates the record of a step. @throws ProblemError `conflict` for a record that was deleted after it was shown */
export async function createOfStep<
  Place extends object,
  Item extends Stored,
  Within extends object,
  New extends object,
>(
  kind: RecordKind<Place, Item, never, Within, New>,
  caller: BoxesCaller,
  within: Within,
  fields: New,
  call: StepCall,
): Promise<'created'> {
  const at = kind.made(within, fields);
  const { revision: shown } = call.body;
  if (shown !== undefined) {
    throw await conflict({ ...storedRecord(kind, caller, at, call.note), expected: shown }, null);
  }
  const { revision } = await createStored(kind, caller, within, fields, call);
  await call.note.did({
    action: `${kind.kind}.create` as ActivityAction,
    id: idOf(kind, at),
    paths: Object.keys(fields),
    revisionAfter: revision,
  });
  return 'created';
}

/**
 * Gives an existing record the planned values, if the user decided so at the stored revision.
 * @returns the record if a decision is needed; `changed` if the decision was about another revision
 */
export async function updateOfStep<Place extends object, Item extends Stored, Changes extends object>(
  kind: Updatable<Place, Item, Changes>,
  caller: BoxesCaller,
  at: Place,
  {
    stored,
    changes,
    call,
    shownBy = ({ revision }) => revision,
  }: {
    readonly stored: Item;
    readonly changes: Changes;
    readonly call: StepCall;
    /** The revision by which the record is shown, if it covers more than the editable fields. */
    readonly shownBy?: (stored: Item) => string;
  },
): Promise<'updated' | (Item & { readonly changed: boolean })> {
  const { existing, revision } = call.body;
  const shown = shownBy(stored);
  if (existing !== 'update' || revision !== shown) {
    return { ...stored, revision: shown, changed: revision !== undefined && revision !== shown };
  }
  if (Object.keys(changes).length === 0) {
    await call.guard.pass(await kind.harmOfChanges?.(changes, stored, caller, at));
    return 'updated';
  }
  try {
    const before = stored.revision;
    const after = await updateStored(kind, caller, at, changes, { ...call, revision: before });
    await call.note.did({
      action: `${kind.kind}.update` as ActivityAction,
      id: idOf(kind, at),
      paths: Object.keys(changes),
      revisionBefore: before,
      revisionAfter: after.revision,
    });
    return 'updated';
  } catch (error) {
    const isStale = error instanceof ProblemError && error.code === 'conflict';
    const current = isStale ? await kind.read(caller, at) : null;
    if (current === null) throw error;
    return { ...current, revision: shownBy(current), changed: true };
  }
}
