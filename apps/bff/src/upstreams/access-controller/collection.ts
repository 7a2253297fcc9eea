import { listOf } from '@gatehouse/api-types/services/access-controller';
import type * as z from 'zod/mini';
import { buildPath } from '../path.ts';
import { ServiceError } from '../service-error.ts';
import type { ServiceAnswer, ServiceRequest } from '../transport.ts';
import type { AccessCaller } from './client.ts';

/** The fields that every record of the contract has. */
export interface StoredRecord {
  readonly id: string;
  readonly revision: string;
  readonly updated_time: string;
  readonly authorized_actions: readonly string[];
}

/** Which records to list. `page_token` continues a listing, and needs the same other values as the first page. */
export interface ListQuery {
  readonly filter?: string | undefined;
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
  /** Where to list: `scope_id`, `host_catalog_id`, `recursive` and similar parameters. */
  readonly [place: string]: string | number | boolean | undefined;
}

/** One page of a listing. */
export interface RecordPage<Item> {
  readonly items: Item[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
  readonly estimatedCount: number;
  /** Whether the answer is so long that its page may have ended for that, with few records. */
  readonly isLong: boolean;
}

/**
 * The records of one kind at a controller. Every call throws a ServiceError unless the answer is 200–299 and contains the
 * record of the call.
 */
export interface Collection<Item extends StoredRecord, New extends object, Changes extends object> {
  /** The controller's name for the kind, with hyphens: `host-set`. */
  readonly kind: string;
  /** The field of a new record that names its container, such as `scope_id`. */
  readonly container: string;
  /** The field whose value must be unique within a container. */
  readonly uniqueField: string;
  list(caller: AccessCaller, query: ListQuery): Promise<RecordPage<Item>>;
  get(caller: AccessCaller, id: string): Promise<Item>;
  create(caller: AccessCaller, fields: New): Promise<Item>;
  /** Changes fields if the record still has `version`. The controller answers 404, 500 or 400 to a stale version. */
  update(caller: AccessCaller, id: string, version: number, changes: Changes): Promise<Item>;
  /** Deletes the record, whatever its version. */
  remove(caller: AccessCaller, id: string): Promise<void>;
  /** Runs an action that answers with the record, such as `add-hosts`. */
  act(caller: AccessCaller, id: string, action: string, body: object): Promise<Item>;
}

/** The wire format of the records of one kind. */
export interface CollectionForm<
  Schema extends z.ZodMiniType,
  Item extends StoredRecord,
  New extends object,
  Changes extends object,
> {
  readonly kind: string;
  readonly container: string;
  /** Default: `name`. */
  readonly uniqueField?: string;
  /** The collection's path below `/v1/`. */
  readonly path: string;
  readonly wire: Schema;
  readonly itemOf: (wire: z.output<Schema>) => Item;
  /** Kinds without `creation` can't be created, and kinds without `change` can't be updated. */
  readonly creation?: (fields: New) => Pick<ServiceRequest, 'body' | 'text'>;
  readonly change?: (changes: Changes, version: number) => Pick<ServiceRequest, 'body' | 'text'>;
}

/** Creates the client of one kind of record. */
export function collection<
  Schema extends z.ZodMiniType,
  Item extends StoredRecord,
  New extends object = never,
  Changes extends object = never,
>(form: CollectionForm<Schema, Item, New, Changes>): Collection<Item, New, Changes> {
  const { wire, itemOf, kind, container, uniqueField = 'name' } = form;
  const root = ({ transport }: AccessCaller): string => `${transport.prefix}/v1/${form.path}`;
  /** @param id of the record that the answer must contain; undefined for a new one */
  const read = async (caller: AccessCaller, answer: ServiceAnswer, id?: string): Promise<Item> => {
    const item = itemOf(await caller.transport.parse(wire, answer));
    // Otherwise, another record would be recorded as the changed one.
    if (id !== undefined && item.id !== id)
      throw badAnswer(caller, `The access controller's answer contains a ${kind} with another ID.`);
    return item;
  };
  return {
    kind,
    container,
    uniqueField,
    list: listing(form),
    get: async (caller, id) =>
      read(caller, await caller.send({ method: 'GET', path: buildPath(root(caller), [id]) }), id),
    create: async (caller, fields) =>
      read(caller, await caller.send({ method: 'POST', path: root(caller), ...form.creation?.(fields) })),
    update: async (caller, id, version, changes) =>
      read(
        caller,
        await caller.send({
          method: 'PATCH',
          path: buildPath(root(caller), [id]),
          ...form.change?.(changes, version),
        }),
        id,
      ),
    async remove(caller, id) {
      await caller.send({ method: 'DELETE', path: buildPath(root(caller), [id]) });
    },
    act: async (caller, id, action, body) =>
      read(
        caller,
        await caller.send({ method: 'POST', path: buildPath(root(caller), [id], { action }), body }),
        id,
      ),
  };
}

/** Reads one page of a list of records. */
export function listing<Schema extends z.ZodMiniType, Item>({
  path: place,
  wire,
  itemOf,
}: {
  readonly path: string;
  readonly wire: Schema;
  readonly itemOf: (wire: z.output<Schema>) => Item;
}): (caller: AccessCaller, query: ListQuery) => Promise<RecordPage<Item>> {
  const page = listOf(wire);
  return async (caller, { page_token, filter, ...query }) => {
    const { transport } = caller;
    const path = buildPath(`${transport.prefix}/v1/${place}`, [], {
      query: { ...query, filter: filter === '' ? undefined : filter, list_token: page_token },
    });
    const sent = await caller.send({ method: 'GET', path });
    const answer = await transport.parse(page, sent);
    const items: Item[] = [];
    for (const item of answer.items) {
      await sent.slices.giveWay();
      items.push(itemOf(item));
    }
    return {
      items,
      nextPageToken:
        answer.response_type === 'delta' && answer.list_token !== '' ? answer.list_token : undefined,
      estimatedCount: answer.est_item_count,
      isLong: sent.text.length >= longPage,
    };
  };
}

/**
 * Small pages that a listing may have, and the required mean number of records in further ones. Long pages, in
 * characters, aren't small.
 */
const smallPages = 10;
const meanOfPages = 10;
const longPage = 512 * 1024;

/**
 * Reads every record of a listing, page by page, up to `limit`.
 * @throws ServiceError `bad-answer` for a listing in too many small pages, which might never end
 */
export async function allOf<Item>(
  records: { list(caller: AccessCaller, query: ListQuery): Promise<RecordPage<Item>> },
  caller: AccessCaller,
  query: ListQuery,
  limit: number,
): Promise<Item[]> {
  const found: Item[] = [];
  let pages = 0;
  let token: string | undefined;
  do {
    const { items, nextPageToken, isLong } = await records.list(caller, { ...query, page_token: token });
    for (const item of items) found.push(item);
    token = nextPageToken;
    // A long page without records is no reason for more of them.
    if (!isLong || items.length === 0) pages += 1;
    if (token !== undefined && pages > smallPages + found.length / meanOfPages)
      throw badAnswer(caller, 'The access controller sends a list in too many small pages.');
  } while (token !== undefined && found.length < limit);
  return found.slice(0, limit);
}

/** An error for an answer that no controller should send. */
export function badAnswer({ transport }: AccessCaller, detail: string): ServiceError {
  const { environment, service } = transport;
  return new ServiceError(
    'bad-answer',
    detail,
    { environment, service },
    { delivery: 'unknown', status: 200 },
  );
}
