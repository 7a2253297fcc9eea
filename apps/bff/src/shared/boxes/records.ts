/**
 * What boxes, versions and providers have in common. The registry keeps no revisions: each is read again before it is
 * changed, compared, written and read back.
 */
import {
  conflict,
  guardedDelete,
  guardedWrite,
  outcomeUnknown,
  type FailedWrite,
} from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { AuditNote } from '#operation/operation.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { boxesCaller, type BoxesCall } from './caller.ts';
import { holds } from './holds.ts';

/** What every stored record has. */
interface Stored {
  readonly revision: string;
  /** Of what is deleted with it too, where that is more than itself. */
  readonly whole_revision?: string;
  readonly updated_time?: string;
}

/** One kind of records. */
export interface RecordKind<Place extends object, Item extends Stored, Changes extends object> {
  /** As problems and the audit trail call it. */
  readonly kind:
    | 'box'
    | 'box-version'
    | 'box-provider'
    | 'organization'
    | 'organization-member'
    | 'box-settings';
  /** The names of a place, outermost first. */
  readonly names: readonly (keyof Place & string)[];
  /** Where it is after a change of its name. */
  readonly moved: (at: Place, changes: Changes) => Place;
  readonly read: (caller: BoxesCaller, at: Place) => Promise<Item | null>;
  readonly update: (caller: BoxesCaller, at: Place, changes: Changes) => Promise<Item>;
  readonly remove: (caller: BoxesCaller, at: Place) => Promise<void>;
}

interface RecordCall<Params> extends BoxesCall {
  readonly params: Params & { readonly environment: string };
  readonly note: AuditNote;
}

/** How a guarded write sees one record. */
export function storedRecord<Place extends object, Item extends Stored, Changes extends object>(
  { kind, names, read }: RecordKind<Place, Item, Changes>,
  caller: BoxesCaller,
  at: Place,
  note: AuditNote,
) {
  const { environment, service } = caller.transport;
  return {
    resource: { environment, service, kind, id: names.map((name) => String(at[name])).join('/') },
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

/** One record. @throws ServiceError `not-found` */
export function getRecord<Place extends object, Item extends Stored, Changes extends object>(
  kind: RecordKind<Place, Item, Changes>,
) {
  return async (context: Context, call: BoxesCall & { readonly params: Place }): Promise<Item> => {
    const caller = await boxesCaller(context, call);
    const stored = await kind.read(caller, call.params);
    if (stored === null) throw notThere(caller, kind.kind);
    return stored;
  };
}

/**
 * Creates a record. One that is there already is a conflict with it, unless the answer to the creation was lost and it
 * is what was sent.
 */
export async function createRecord<Place extends object, Item extends Stored, Changes extends object>(
  kind: RecordKind<Place, Item, Changes>,
  caller: BoxesCaller,
  at: Place,
  sent: object,
  note: AuditNote,
  create: () => Promise<Item>,
): Promise<Item> {
  const { resource, read, revisionOf, changedAt } = storedRecord(kind, caller, at, note);
  try {
    return await create();
  } catch (error) {
    const failed = whatFailed(error);
    if (failed === 'refused') throw error;
    const current = await read().catch(() => {
      throw outcomeUnknown({ resource }, error);
    });
    if (current === null) throw failed === 'unknown' ? outcomeUnknown({ resource }, error) : error;
    if (failed === 'unknown' && holds(current, sent)) return current;
    throw await conflict({ resource, expected: '', creates: true, revisionOf, changedAt }, current);
  }
}

/** Changes fields of the record that the person saw. */
export function updateRecord<Place extends object, Item extends Stored, Changes extends object>(
  kind: RecordKind<Place, Item, Changes>,
) {
  return async (
    context: Context,
    call: RecordCall<Place> & { readonly body: Changes; readonly revision: string },
  ): Promise<Item> => {
    const { body, params, revision, note } = call;
    if (Object.values(body).every((value) => value === undefined)) {
      throw new ProblemError('invalid-request', 'The request changes no field.');
    }
    const caller = await boxesCaller(context, call);
    const after = kind.moved(params, body);
    const isMoved = kind.names.some((name) => after[name] !== params[name]);
    const record = storedRecord(kind, caller, params, note);
    return guardedWrite<Item>({
      ...record,
      expected: revision,
      readFirst: true,
      // Under its new name it is what an answer that was lost has left.
      read: async () => (await record.read()) ?? (isMoved ? kind.read(caller, after) : null),
      send: async () => {
        const answered = await kind.update(caller, params, body);
        const stored = (await kind.read(caller, after).catch(() => answered)) ?? answered;
        if (holds(stored, body)) return stored;
        throw await conflict({ ...record, expected: revision }, stored);
      },
      equalsSent: (stored) => holds(stored, body),
    });
  };
}

/** Deletes the record that the person saw. */
export function deleteRecord<Place extends object, Item extends Stored, Changes extends object>(
  kind: RecordKind<Place, Item, Changes>,
) {
  return async (context: Context, call: RecordCall<Place> & { readonly revision: string }): Promise<void> => {
    const caller = await boxesCaller(context, call);
    await guardedDelete({
      ...storedRecord(kind, caller, call.params, call.note),
      // Of somebody else's new version the person knows nothing.
      revisionOf: (stored) => stored.whole_revision ?? stored.revision,
      expected: call.revision,
      remove: () => kind.remove(caller, call.params),
    });
  };
}

/** A registry answers what is there twice with 422, and what is gone with 404; a gateway's 502 or 504 tells nothing. */
export function whatFailed(error: unknown): FailedWrite {
  if (!(error instanceof ServiceError) || error.delivery === 'not-sent') return 'refused';
  if ([404, 409, 422].includes(error.serviceStatus ?? 0)) return 'perhaps-stale';
  return error.delivery === 'unknown' ? 'unknown' : 'refused';
}

/** The problem of a record that is not there, or is private. */
export function notThere(caller: BoxesCaller, kind: string): ServiceError {
  const { environment, service } = caller.transport;
  return new ServiceError(
    'not-found',
    `There is no such ${kind.replace(/^box-/, '').replaceAll('-', ' ')}, or it is private and you may not see it.`,
    { environment, service },
    { delivery: 'answered', status: 404 },
  );
}
