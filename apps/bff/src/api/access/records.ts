/**
 * The operations that all kinds of records of the access controller have. Each kind lists them in a table of
 * operations; operations of only one kind have a file of their own.
 */
import type { Harm } from '@gatehouse/api-types/console/harm';
import { hasSecret } from '@gatehouse/api-types/console/secret-members';
import { pathsOf } from '#audit/wish.ts';
import { guardedDelete, guardedWrite, outcomeUnknown } from '#conflict/guarded-write.ts';
import type { AuditNote } from '#ground/call.ts';
import { mayBeDone, ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { audited, compressed } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { hasSent } from '#upstreams/access-controller/bodies.ts';
import { isAnswer, type AccessCaller } from '#upstreams/access-controller/client.ts';
import type { Collection, ListQuery, StoredRecord } from '#upstreams/access-controller/collection.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { created, changed, deleted, followed, type Sequel } from './became.ts';
import { accessCaller } from './caller.ts';
import { storedRecord, versionOf, whatFailed } from './stored-record.ts';

/** A call of these operations. */
interface RecordCall<Params = object> extends ServiceCall {
  readonly params: Params & { readonly environment: string };
  readonly note: AuditNote;
}

interface IdParams {
  readonly id: string;
}

/** Lists records in pages. @param fixed query parameters that override the caller's */
export function listRecords<Item extends StoredRecord>(
  records: Collection<Item, never, never>,
  fixed: ListQuery = {},
) {
  return compressed(async (context: Context, call: RecordCall & { readonly query: ListQuery }) => {
    const page = await records.list(await accessCaller(context, call), { ...call.query, ...fixed });
    return {
      items: page.items,
      ...(page.nextPageToken !== undefined && { next_page_token: page.nextPageToken }),
      est_item_count: page.estimatedCount,
    };
  });
}

export function getRecord<Item extends StoredRecord>(records: Collection<Item, never, never>) {
  return async (context: Context, call: RecordCall<IdParams>): Promise<Item> =>
    records.get(await accessCaller(context, call), call.params.id);
}

/** Creates a record. If the answer is lost, looks for the record by its name, which is unique within its container. */
export function createRecord<Item extends StoredRecord, New extends object>(
  records: Collection<Item, New, never>,
) {
  const became = created(records);
  return audited(
    { became },
    async (context: Context, call: RecordCall & { readonly body: New }): Promise<Item> => {
      const caller = await accessCaller(context, call);
      try {
        return await records.create(caller, call.body);
      } catch (error) {
        const failed = whatFailed(error);
        if (failed === 'refused' || isAnswer(error, 404)) throw error;
        const created = await findCreated(records, caller, call.body, error);
        if (created !== undefined) return created;
        throw failed === 'unknown' ? unknownCreation(records, caller, error) : error;
      }
    },
  );
}

async function findCreated<Item extends StoredRecord, New extends object>(
  records: Collection<Item, New, never>,
  caller: AccessCaller,
  sent: New,
  failure: unknown,
): Promise<Item | undefined> {
  const place = textOf(sent, records.container);
  const name = textOf(sent, records.uniqueField);
  // Without a name, or with a secret, the new record can't be distinguished from one that already existed.
  if (name === undefined || hasSecret(sent)) return undefined;
  const query = {
    filter: fieldIs(records.uniqueField, name),
    ...(place !== undefined && { [records.container]: place }),
  };
  const page = await records.list(caller, query).catch(() => {
    throw unknownCreation(records, caller, failure);
  });
  return page.items.find((item) => hasSent(item, sent));
}

function textOf(fields: object, name: string): string | undefined {
  const value = new Map<string, unknown>(Object.entries(fields)).get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unknownCreation(
  { kind }: { readonly kind: string },
  { transport: { environment, service } }: AccessCaller,
  failure: unknown,
): ProblemError {
  return outcomeUnknown({ resource: { environment, service, kind, id: '' } }, failure);
}

/** The harm of changes with a secret: the replaced secret is lost for everyone. */
export function harmOfSecrets(changes: object): Harm | undefined {
  return hasSecret(changes) ? 'destroys' : undefined;
}

/** Options for updates of one kind. */
interface UpdateOptions<Item, Changes> {
  /** Whether to compare revisions before writing. */
  readonly readFirst?: (changes: Changes) => boolean;
  /**
   * Returns a check of changes against the stored record, which is read first; undefined if no check is needed. The
   * check throws ProblemError.
   */
  readonly judge?: (changes: Changes) => ((stored: Item) => void) | undefined;
  /** The harm that changes can do, if it depends on them. */
  readonly harm?: (changes: Changes) => Harm | undefined;
  /** What the trail records of changes, if not only their fields. */
  readonly paths?: (changes: Changes) => readonly string[];
  /** What follows from the change. @param changes the request's body */
  readonly sequelOf?: (changes: object) => Sequel | undefined;
}

/**
 * Makes a change, and what follows from it, also if the change may have been made although it failed. A user who isn't
 * allowed to make the change can't cause that.
 * @returns the change's result, and what else was done, for the trail
 */
async function withSequel<Item extends StoredRecord, Result>(
  sequel: Promise<() => Promise<readonly string[]>> | undefined,
  action: 'update' | 'delete',
  stored: ReturnType<typeof storedRecord<Item>>,
  change: (
    stored: ReturnType<typeof storedRecord<Item>>,
    /** Notes that the service has accepted the change. */
    accepted: <Answer>(answer: Answer) => Answer,
  ) => Promise<Result>,
): Promise<{ readonly result: Result; readonly did: readonly string[] }> {
  const follow = await sequel;
  let isAllowed = false;
  const read = async (): Promise<Item | null> => {
    const found = await stored.read();
    isAllowed ||= found?.authorized_actions.includes(action) === true;
    return found;
  };
  const accepted = <Answer>(answer: Answer): Answer => {
    isAllowed = true;
    return answer;
  };
  const result = await change({ ...stored, read }, accepted).catch(async (error: unknown) => {
    if (isAllowed && mayBeDone(error)) await follow?.();
    throw error;
  });
  // A record that was as requested before may not be the user's to change.
  return { result, did: (isAllowed && (await follow?.())) || [] };
}

/** Changes fields of the record at the revision that the user saw. */
export function updateRecord<Item extends StoredRecord, Changes extends object>(
  records: Collection<Item, never, Changes>,
  { readFirst, judge, harm, paths, sequelOf }: UpdateOptions<Item, Changes> = {},
) {
  type Update = RecordCall<IdParams> & { readonly body: Changes; readonly revision: string };
  const beside = {
    became: followed(changed(records), (body) => sequelOf?.(body)),
    ...(harm !== undefined && {
      harm: ({ body }: Update) => harm(body),
    }),
    ...(paths !== undefined && { address: ({ body }: Update) => ({ paths: paths(body) }) }),
  };
  return audited(beside, async (context: Context, call: Update): Promise<Item> => {
    const { body, params, revision } = call;
    const version = versionOf(revision);
    if (isEmpty(body)) throw new ProblemError('invalid-request', "The request doesn't change any field.");
    const caller = await accessCaller(context, call);
    const { result, did } = await withSequel(
      sequelOf?.(body)?.(context, call),
      'update',
      storedRecord(records, caller, params.id, call.note),
      (stored, accepted) =>
        guardedWrite({
          ...stored,
          expected: revision,
          send: async () => accepted(await records.update(caller, params.id, version, body)),
          // A stored secret can't be compared, so it never counts as the one that was sent.
          equalsSent: (current) => !hasSecret(body) && hasSent(current, body),
          readFirst: readFirst?.(body) ?? false,
          // Reading first also gives the trail the record as it was before.
          judge: judge?.(body) ?? (() => undefined),
        }),
    );
    if (did.length > 0) call.note.changed([...(paths?.(body) ?? pathsOf(body)), ...did]);
    return result;
  });
}

/** Whether no field is set, at any depth. */
function isEmpty(changes: object): boolean {
  return Object.values(changes).every(
    (value: unknown) =>
      value === undefined ||
      (typeof value === 'object' && value !== null && !Array.isArray(value) && isEmpty(value)),
  );
}

/** Deletes the record at the revision that the user saw. */
export function deleteRecord<Item extends StoredRecord>(
  records: Collection<Item, never, never>,
  sequel?: Sequel,
) {
  type Deletion = RecordCall<IdParams> & { readonly revision: string };
  const became = followed(deleted(records), () => sequel);
  return audited({ became }, async (context: Context, call: Deletion): Promise<void> => {
    const caller = await accessCaller(context, call);
    const { id } = call.params;
    await withSequel(
      sequel?.(context, call),
      'delete',
      storedRecord(records, caller, id, call.note),
      (stored, accepted) =>
        guardedDelete({
          ...stored,
          expected: call.revision,
          remove: async () => accepted(await records.remove(caller, id)),
        }),
    );
  });
}

/** The five operations of a collection, as rows of its resource's table. */
type CollectionOperations<
  Resource extends string,
  Item extends StoredRecord,
  New extends object,
  Changes extends object,
> = {
  readonly [Name in `${Resource}.list`]: ReturnType<typeof listRecords<Item>>;
} & { readonly [Name in `${Resource}.get`]: ReturnType<typeof getRecord<Item>> } & {
  readonly [Name in `${Resource}.create`]: ReturnType<typeof createRecord<Item, New>>;
} & { readonly [Name in `${Resource}.update`]: ReturnType<typeof updateRecord<Item, Changes>> } & {
  readonly [Name in `${Resource}.delete`]: ReturnType<typeof deleteRecord<Item>>;
};

/** The five operations of a collection, by their names in the contract. */
export function collectionOperations<
  Resource extends string,
  Item extends StoredRecord,
  New extends object,
  Changes extends object,
>(
  resource: Resource,
  records: Collection<Item, New, Changes>,
): CollectionOperations<Resource, Item, New, Changes> {
  const rows = {
    list: listRecords(records),
    get: getRecord(records),
    create: createRecord<Item, New>(records),
    update: updateRecord<Item, Changes>(records),
    delete: deleteRecord(records),
  };
  const named = Object.entries(rows).map(([name, operation]) => [`${resource}.${name}`, operation]);
  return Object.fromEntries(named) as CollectionOperations<Resource, Item, New, Changes>;
}
