/** Reading and writing the records of one kind: what lists, details and forms of any kind have in common. */
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Decided, Guard } from '#lib/api.ts';

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

/** All records of a place, page after page. */
export function recordListQuery<Item extends StoredRecord>(
  kind: Pick<RecordCalls<Item, never, never>, 'key' | 'list'>,
  environment: string,
  place: string,
) {
  return queryOptions({
    queryKey: [environment, 'access', kind.key, 'list', place],
    queryFn: async ({ signal }): Promise<readonly Item[]> => {
      const items: Item[] = [];
      let token: string | undefined;
      do {
        const page = await kind.list(environment, place, token, { signal });
        items.push(...page.items);
        token = page.next_page_token;
      } while (token !== undefined);
      return items;
    },
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
