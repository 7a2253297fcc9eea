/** What the lists, details and forms of all kinds of records have in common. */
import type { CollectionAddresses, Container } from '@gatehouse/api-types/console/addresses/collection';
import type { CollectionName, Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';
import type { BodyInputOf, ResponseOf } from '@gatehouse/api-types/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { callUntyped, type Decided, type Guard } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';

/** Fields of every editable record. The revision guards its writes. */
export interface Revised {
  readonly id?: string;
  readonly revision: string;
  readonly updated_time?: string | null;
  readonly authorized_actions?: readonly string[];
}

/** Fields of every record that is listed by its ID. */
export interface StoredRecord extends Revised {
  readonly id: string;
  readonly updated_time: string;
  readonly authorized_actions: readonly string[];
}

export interface CallContext {
  readonly signal?: AbortSignal;
  readonly poll?: boolean;
}

export interface RecordPage<Item> {
  readonly items: readonly Item[];
  readonly next_page_token?: string | undefined;
}

/** How the page caches the records of a kind. */
export interface RecordCache<Item extends Revised, Address> {
  readonly keyOf: (environment: string, address: Address) => readonly unknown[];
  /** Caches the record that a write returned. `before` is the address that was written to. */
  readonly keep: (queryClient: QueryClient, environment: string, item: Item, before?: Address) => void;
  /** Removes a deleted record from everything that the page shows. */
  readonly forget: (queryClient: QueryClient, environment: string, address: Address) => void;
}

/** How to read and cache one record. Its address is its ID, or the names that identify it. */
export interface RecordReads<Item extends Revised, Address = string> {
  /** The kind in cache keys, for example `host-sets`. */
  readonly key: string;
  /** Kinds that a write of this one may also change. */
  readonly touches: readonly string[];
  readonly cache?: Partial<RecordCache<Item, Address>>;
  readonly get: (environment: string, address: Address, context: CallContext) => Promise<Item>;
}

/** The operations of a kind. `place` contains the records of a list: a scope, a catalog, a store. */
export interface RecordCalls<Item extends Revised, New, Changes, Address = string> extends RecordReads<
  Item,
  Address
> {
  readonly list: (
    environment: string,
    place: string,
    pageToken: string | undefined,
    context: CallContext,
  ) => Promise<RecordPage<Item>>;
  readonly create: (environment: string, body: New, decided?: Decided) => Promise<Item>;
  /** `reached` is called after each step of an update in several writes. */
  readonly update: (
    environment: string,
    address: Address,
    guard: Guard,
    changes: Changes,
    reached?: (item: Item) => void,
  ) => Promise<Item>;
  readonly remove: Removal<Address>;
}

/** Deletes a record. Its harm decides how it is confirmed. */
export interface Removal<Address> {
  readonly harm: Harm;
  readonly run: (environment: string, address: Address, revision: string) => Promise<void>;
}

/** What a page can do with records of a kind: read one, and the writes that the kind has. */
export type LifeCalls<Item extends Revised, New, Changes, Address = string> = RecordReads<Item, Address> &
  Partial<Pick<RecordCalls<Item, New, Changes, Address>, 'create' | 'update' | 'remove'>>;

/** The calls of a collection, typed by its contract. */
export type CallsOf<Resource extends CollectionName> = RecordCalls<
  Extract<ResponseOf<Endpoints[Resource]['get']>, StoredRecord>,
  BodyInputOf<Endpoints[Resource]['create']>,
  BodyInputOf<Endpoints[Resource]['update']>
>;

const pageSize = 1000;

/**
 * The calls of a collection, at its addresses. Lists contain all records of a container; of the global scope,
 * also those of the scopes below it.
 * @param touches kinds that a write of this one may also change
 */
export function recordCalls<Resource extends CollectionName>(
  at: CollectionAddresses<Resource, string, Container>,
  touches: readonly string[] = [],
): CallsOf<Resource> {
  const { path, container } = at.list;
  const within = (place: string) => ({
    ...(container !== 'environment' && { [container]: place }),
    ...(container === 'scope_id' && place === globalScope && { recursive: true }),
  });
  const calls: RecordCalls<StoredRecord, unknown, unknown> = {
    key: path.slice(path.lastIndexOf('/') + 1),
    touches,
    get: (environment, id, context) =>
      callUntyped<StoredRecord>(at.get, { params: { environment, id }, ...context }),
    list: (environment, place, token, context) =>
      callUntyped<RecordPage<StoredRecord>>(at.list, {
        params: { environment },
        query: {
          ...within(place),
          page_size: pageSize,
          ...(token !== undefined && { page_token: token }),
        },
        ...context,
      }),
    create: (environment, body, decided) =>
      callUntyped<StoredRecord>(at.create, { params: { environment }, body, ...decided }),
    update: (environment, id, guard, body) =>
      callUntyped<StoredRecord>(at.update, { params: { environment, id }, ...guard, body }),
    remove: {
      harm: at.delete.harm,
      run: (environment, id, revision) =>
        callUntyped<void>(at.delete, { params: { environment, id }, revision }),
    },
  };
  // The contract types the bodies and answers of these addresses.
  return calls as CallsOf<Resource>;
}

/** Reads all records of a place, page by page. */
export async function allRecords<Item extends StoredRecord>(
  kind: Pick<RecordCalls<Item, never, never>, 'list'>,
  environment: string,
  place: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let token: string | undefined;
  do {
    const page = await kind.list(environment, place, token, { signal });
    items.push(...page.items);
    token = page.next_page_token;
  } while (token !== undefined);
  return items;
}

/** All records of a place. */
export function recordListQuery<Item extends StoredRecord>(
  kind: Pick<RecordCalls<Item, never, never>, 'key' | 'list'>,
  environment: string,
  place: string,
) {
  return queryOptions({
    queryKey: [environment, 'access', kind.key, 'list', place],
    queryFn: (context) => allRecords(kind, environment, place, context),
    staleTime: 10_000,
  });
}
