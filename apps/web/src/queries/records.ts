/** What lists, details and forms of any kind of records have in common. */
import type { CollectionAddresses, Container } from '@gatehouse/api-types/console/addresses/collection';
import type { CollectionName, Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { Harm } from '@gatehouse/api-types/console/harm';
import type { BodyInputOf, ResponseOf } from '@gatehouse/api-types/contract';
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { callUntyped, type Decided, type Guard } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';

/** What a record may have that can be edited: the revision guards every write of it. */
export interface Revised {
  readonly id?: string;
  readonly revision: string;
  readonly updated_time?: string | null;
  readonly authorized_actions?: readonly string[];
}

/** What every record has that is listed by its id. */
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

/** Where the page keeps the records of a kind. */
export interface RecordCache<Item extends Revised, Address> {
  readonly keyOf: (environment: string, address: Address) => readonly unknown[];
  /** Puts what a write answered where the page shows it. `before` is the address that was written to. */
  readonly keep: (queryClient: QueryClient, environment: string, item: Item, before?: Address) => void;
  /** Takes a record that is known to be gone out of everything that the page shows. */
  readonly forget: (queryClient: QueryClient, environment: string, address: Address) => void;
}

/** Reading one record, and where what was read is kept. The address of a record is its id, or the names that lead to it. */
export interface RecordReads<Item extends Revised, Address = string> {
  /** The kind in keys of the cache, for example `host-sets`. */
  readonly key: string;
  /** Kinds that a write of this one may change too. */
  readonly touches: readonly string[];
  readonly cache?: Partial<RecordCache<Item, Address>>;
  readonly get: (environment: string, address: Address, context: CallContext) => Promise<Item>;
}

/** The operations of one kind. `place` is what holds the records of a list: a scope, a catalog, a store. */
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
  /** `reached` hears how far a change got that takes several writes. */
  readonly update: (
    environment: string,
    address: Address,
    guard: Guard,
    changes: Changes,
    reached?: (item: Item) => void,
  ) => Promise<Item>;
  readonly remove: Removal<Address>;
}

/** Deleting a record, and the harm that it does, from which follows what is asked before. */
export interface Removal<Address> {
  readonly harm: Harm;
  readonly run: (environment: string, address: Address, revision: string) => Promise<void>;
}

/** What a page does with the records of a kind: reading one, and the writes that the kind has. */
export type LifeCalls<Item extends Revised, New, Changes, Address = string> = RecordReads<Item, Address> &
  Partial<Pick<RecordCalls<Item, New, Changes, Address>, 'create' | 'update' | 'remove'>>;

/** The calls of a collection, typed by its declaration. */
export type CallsOf<Resource extends CollectionName> = RecordCalls<
  Extract<ResponseOf<Endpoints[Resource]['get']>, StoredRecord>,
  BodyInputOf<Endpoints[Resource]['create']>,
  BodyInputOf<Endpoints[Resource]['update']>
>;

const pageSize = 1000;

/**
 * The calls of a collection, by its addresses. All of a container's records are listed; in the global scope with those
 * of the scopes below.
 * @param touches kinds that a write of this one may change too
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
  // The contract holds what each of these addresses takes and answers.
  return calls as CallsOf<Resource>;
}

/** Reads all records of a place, page after page. */
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
