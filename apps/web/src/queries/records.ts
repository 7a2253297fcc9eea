/** Reading and writing the records of one kind: what lists, details and forms of any kind have in common. */
import type { CollectionAddresses, Container } from '@gatehouse/api-types/console/addresses/collection';
import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import type { BodyInputOf, ResponseOf } from '@gatehouse/api-types/contract';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { callUntyped, type Decided, type Guard } from '#lib/api.ts';
import { globalScope } from './global-scope.ts';

/** What every record has that can be edited. */
export interface StoredRecord {
  readonly id: string;
  readonly revision: string;
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

/** The operations of one kind. `place` is what holds the records of a list: a scope, a catalog, a store. */
export interface RecordCalls<Item extends StoredRecord, New, Changes> {
  /** The kind in keys of the cache, for example `host-sets`. */
  readonly key: string;
  /** Kinds that a write of this one may change too. */
  readonly touches: readonly string[];
  readonly get: (environment: string, id: string, context: CallContext) => Promise<Item>;
  readonly list: (
    environment: string,
    place: string,
    pageToken: string | undefined,
    context: CallContext,
  ) => Promise<RecordPage<Item>>;
  readonly create: (environment: string, body: New, decided?: Decided) => Promise<Item>;
  readonly update: (environment: string, id: string, guard: Guard, changes: Changes) => Promise<Item>;
  readonly remove: (environment: string, id: string, revision: string) => Promise<void>;
}

/** The resources of the contract that are collections of records. */
type Collection = {
  [Resource in keyof Endpoints]: Endpoints[Resource] extends {
    readonly list: { readonly container: Container };
  }
    ? Resource
    : never;
}[keyof Endpoints];

/** The calls of a collection, typed by its declaration. */
export type CallsOf<Resource extends Collection> = RecordCalls<
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
export function recordCalls<Resource extends Collection>(
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
    remove: (environment, id, revision) =>
      callUntyped<void>(at.delete, { params: { environment, id }, revision }),
  };
  // The contract holds what each of these addresses takes and answers.
  return calls as CallsOf<Resource>;
}

const oneKey = (environment: string, key: string, id: string) =>
  [environment, 'access', key, 'one', id] as const;

/** One record. */
export function recordQuery<Item extends StoredRecord>(
  kind: Pick<RecordCalls<Item, never, never>, 'key' | 'get'>,
  environment: string,
  id: string,
) {
  return queryOptions({
    queryKey: oneKey(environment, kind.key, id),
    queryFn: ({ signal }) => kind.get(environment, id, { signal }),
    staleTime: 10_000,
  });
}

export function recordPoll<Item extends StoredRecord>(
  kind: Pick<RecordCalls<Item, never, never>, 'key' | 'get'>,
  environment: string,
  id: string,
) {
  return {
    queryKey: oneKey(environment, kind.key, id),
    fetch: (context: { signal: AbortSignal; poll: boolean }) => kind.get(environment, id, context),
  };
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

/** Puts what a write answered where the page shows it; lists that may hold it are read again. */
export function keepRecord<Item extends StoredRecord>(
  queryClient: QueryClient,
  kind: Pick<RecordCalls<Item, never, never>, 'key' | 'touches'>,
  environment: string,
  item: Item,
): void {
  queryClient.setQueryData(oneKey(environment, kind.key, item.id), item);
  readAgain(queryClient, kind, environment);
}

/** Takes a record that is known to be gone out of everything that the page shows. */
export function forgetRecord(
  queryClient: QueryClient,
  kind: Pick<RecordCalls<StoredRecord, never, never>, 'key' | 'touches'>,
  environment: string,
  id: string,
): void {
  queryClient.removeQueries({ queryKey: oneKey(environment, kind.key, id) });
  readAgain(queryClient, kind, environment);
  // Targets lose what is gone.
  void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'targets'] });
}

function readAgain(
  queryClient: QueryClient,
  { key, touches }: Pick<RecordCalls<StoredRecord, never, never>, 'key' | 'touches'>,
  environment: string,
): void {
  void queryClient.invalidateQueries({ queryKey: [environment, 'access', key, 'list'] });
  for (const touched of touches) {
    void queryClient.invalidateQueries({ queryKey: [environment, 'access', touched] });
  }
}

/** @param decided what led to it, where that is a conflict */
export function useCreateRecord<Item extends StoredRecord, New>(
  kind: RecordCalls<Item, New, never>,
  environment: string,
  decided?: Decided,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: New) => kind.create(environment, body, decided),
    onSuccess: (item) => {
      keepRecord(queryClient, kind, environment, item);
    },
  });
}

export function useUpdateRecord<Item extends StoredRecord, Changes>(
  kind: RecordCalls<Item, never, Changes>,
  environment: string,
  id: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ changes, ...guard }: Guard & { changes: Changes }) =>
      kind.update(environment, id, guard, changes),
    onSuccess: (item) => {
      keepRecord(queryClient, kind, environment, item);
    },
  });
}

export function useDeleteRecord<Item extends StoredRecord>(
  kind: RecordCalls<Item, never, never>,
  environment: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: string }) =>
      kind.remove(environment, id, revision),
    onSuccess: (_, { id }) => {
      forgetRecord(queryClient, kind, environment, id);
    },
  });
}
