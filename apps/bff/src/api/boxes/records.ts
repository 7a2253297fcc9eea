/**
 * The shared operations of boxes, versions and providers. The registry keeps no revisions, so before a change each
 * record is read and compared, and afterwards read back.
 */
import {
  conflict,
  guardedDelete,
  guardedWrite,
  outcomeUnknown,
  type FailedWrite,
} from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import type { AuditNote, Guard } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { audited } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { changed, created, deleted } from './became.ts';
import { boxesCaller } from './caller.ts';
import { holds } from './holds.ts';
import type { RecordKind, Stored } from './record-kind.ts';

export type Updatable<Place extends object, Item extends Stored, Changes extends object> = Pick<
  RecordKind<Place, Item, Changes>,
  'kind' | 'names' | 'moved' | 'read' | 'update' | 'harmOfChanges'
>;
type Readable<Place extends object, Item extends Stored> = Pick<
  RecordKind<Place, Item, object>,
  'kind' | 'names' | 'read'
>;

export interface RecordCall<Params> extends ServiceCall {
  readonly params: Params & { readonly environment: string };
  readonly note: AuditNote;
  readonly guard: Guard;
}

/** The record's ID: `user/name/1.0.0/virtualbox`. */
export function idOf<Place extends object>(
  { names }: { readonly names: readonly (keyof Place)[] },
  at: Place,
): string {
  return names.map((name) => String(at[name])).join('/');
}

/** The parts of a guarded write of one record. */
export function storedRecord<Place extends object, Item extends Stored>(
  { kind, names, read }: Readable<Place, Item>,
  caller: BoxesCaller,
  at: Place,
  note: AuditNote,
) {
  const { environment, service } = caller.transport;
  return {
    note,
    resource: { environment, service, kind, id: idOf({ names }, at) },
    // All writes of a box take turns, because a release publishes the current state of its providers.
    turn: {
      environment,
      service,
      kind: 'box',
      id: idOf({ names: names.slice(0, 2) }, at),
      owner: caller.username,
    },
    read: async (): Promise<Item | null> => {
      const stored = await read(caller, at);
      if (stored !== null) note.saw(stored);
      return stored;
    },
    revisionOf: (stored: Item): string => stored.revision,
    changedAt: (stored: Item): string => stored.updated_time ?? '',
    failed: whatFailed,
  };
}

/** Reads a record. @throws ServiceError `not-found` */
export function getRecord<Place extends object, Item extends Stored>(kind: Readable<Place, Item>) {
  return async (context: Context, call: ServiceCall & { readonly params: Place }): Promise<Item> => {
    const caller = await boxesCaller(context, call);
    const stored = await kind.read(caller, call.params);
    if (stored === null) throw notThere(caller, kind.kind);
    return stored;
  };
}

export function createRecord<
  Place extends object,
  Item extends Stored,
  Within extends object,
  New extends object,
>(kind: RecordKind<Place, Item, never, Within, New>) {
  type Creation = RecordCall<Within> & { readonly body: New };
  return audited(
    {
      address: ({ params, body }) => ({ id: idOf(kind, kind.made(params, body)) }),
      became: created(kind),
      ...(kind.harmOfNew !== undefined && { harm: 'by stored state' as const }),
    },
    async (context: Context, call: Creation): Promise<Item> =>
      createStored(kind, await boxesCaller(context, call), call.params, call.body, call),
  );
}

/** Creates a record. An existing record is a conflict, unless the answer was lost and the record is as sent. */
export async function createStored<
  Place extends object,
  Item extends Stored,
  Within extends object,
  New extends object,
>(
  kind: RecordKind<Place, Item, never, Within, New>,
  caller: BoxesCaller,
  within: Within,
  fields: New,
  { note, guard }: Pick<RecordCall<object>, 'note' | 'guard'>,
): Promise<Item> {
  const { resource, turn, read, revisionOf, changedAt } = storedRecord(
    kind,
    caller,
    kind.made(within, fields),
    note,
  );
  return inTurn(turn, async () => {
    await guard.pass(await kind.harmOfNew?.(fields, caller, within));
    try {
      return await kind.create(caller, within, fields);
    } catch (error) {
      const failed = whatFailed(error);
      if (failed === 'refused') throw error;
      const current = await read().catch(() => {
        throw outcomeUnknown({ resource }, error);
      });
      if (current === null) throw failed === 'unknown' ? outcomeUnknown({ resource }, error) : error;
      if (failed === 'unknown' && holds(current, kind.compared?.(fields) ?? fields)) return current;
      throw await conflict({ resource, expected: '', creates: true, revisionOf, changedAt }, current);
    }
  });
}

/** Changes fields of the record at the revision that the user saw. */
export function updateRecord<Place extends object, Item extends Stored, Changes extends object>(
  kind: Updatable<Place, Item, Changes>,
) {
  type Update = RecordCall<Place> & { readonly body: Changes; readonly revision: string };
  return audited(
    {
      address: ({ params }) => ({ id: idOf(kind, params) }),
      became: changed(kind),
      ...(kind.harmOfChanges !== undefined && { harm: 'by stored state' as const }),
    },
    async (context: Context, call: Update): Promise<Item> => {
      const { body, params } = call;
      if (Object.values(body).every((value) => value === undefined)) {
        throw new ProblemError('invalid-request', "The request doesn't change any field.");
      }
      return updateStored(kind, await boxesCaller(context, call), params, body, call);
    },
  );
}

/** Changes fields of a record at the revision that the user saw. @throws ProblemError `conflict` if it has changed */
export async function updateStored<Place extends object, Item extends Stored, Changes extends object>(
  kind: Updatable<Place, Item, Changes>,
  caller: BoxesCaller,
  at: Place,
  changes: Changes,
  { revision, note, guard }: Pick<RecordCall<object>, 'note' | 'guard'> & { readonly revision: string },
): Promise<Item> {
  const after = kind.moved(at, changes);
  const isMoved = kind.names.some((name) => after[name] !== at[name]);
  const record = storedRecord(kind, caller, at, note);
  return guardedWrite<Item>({
    ...record,
    expected: revision,
    readFirst: true,
    judge: async (stored) => guard.pass(await kind.harmOfChanges?.(changes, stored, caller, at)),
    // Under its new name, the record may be the result of a lost answer.
    read: async () => (await record.read()) ?? (isMoved ? kind.read(caller, after) : null),
    send: async () => {
      const answered = await kind.update(caller, at, changes);
      const stored = (await kind.read(caller, after).catch(() => answered)) ?? answered;
      if (holds(stored, changes)) return stored;
      throw await conflict({ ...record, expected: revision }, stored);
    },
    equalsSent: (stored) => holds(stored, changes),
  });
}

/** Deletes the record at the revision that the user saw. */
export function deleteRecord<Place extends object, Item extends Stored>(
  kind: Readable<Place, Item> & Pick<RecordKind<Place, Item, never>, 'remove'>,
) {
  type Deletion = RecordCall<Place> & { readonly revision: string };
  return audited(
    { address: ({ params }) => ({ id: idOf(kind, params) }), became: deleted(kind) },
    async (context: Context, call: Deletion): Promise<void> => {
      const caller = await boxesCaller(context, call);
      await guardedDelete({
        ...storedRecord(kind, caller, call.params, call.note),
        // Includes the record's versions and providers, so that none which the user hasn't seen is deleted.
        revisionOf: (stored) => stored.whole_revision ?? stored.revision,
        expected: call.revision,
        remove: () => kind.remove(caller, call.params),
      });
    },
  );
}

/** A registry answers 422 if the record exists, and 404 if it is gone. A gateway's 502 or 504 says nothing. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if ([404, 409, 422].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** The problem of a record that doesn't exist or is private. */
export function notThere(caller: BoxesCaller, kind: string): ServiceError {
  const { environment, service } = caller.transport;
  return new ServiceError(
    'not-found',
    `The box registry has no such ${kind.replace(/^box-/, '').replaceAll('-', ' ')}, or you aren't allowed to see it.`,
    { environment, service },
    { delivery: 'answered', status: 404 },
  );
}
