/** Reads and writes one record of any kind, and updates the cache. */
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { isApiError } from '#lib/api-error.ts';
import type { Decided, Guard } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import type { LifeCalls, RecordCache, RecordReads, Revised } from './records.ts';

/** The kind's own cache; by default, records are cached separately by the kind's key and their ID. */
function cacheOf<Item extends Revised, Address>({
  key,
  touches,
  cache,
}: Omit<RecordReads<Item, Address>, 'get'>): RecordCache<Item, Address> {
  const oneKey = (environment: string, address: unknown) => [environment, 'access', key, 'one', address];
  const keyOf = cache?.keyOf ?? oneKey;
  const readAgain = (queryClient: QueryClient, environment: string): void => {
    void queryClient.invalidateQueries({ queryKey: [environment, 'access', key, 'list'] });
    for (const touched of touches) {
      void queryClient.invalidateQueries({ queryKey: [environment, 'access', touched] });
    }
  };
  return {
    keyOf,
    keep: (queryClient, environment, item, before) => {
      const itsKey = before === undefined ? oneKey(environment, item.id) : keyOf(environment, before);
      putAnswer(queryClient, itsKey, item);
      readAgain(queryClient, environment);
    },
    forget: (queryClient, environment, address) => {
      queryClient.removeQueries({ queryKey: keyOf(environment, address) });
      readAgain(queryClient, environment);
      // Targets lose deleted sources.
      void queryClient.invalidateQueries({ queryKey: [environment, 'access', 'targets'] });
    },
    ...cache,
  };
}

export function recordQuery<Item extends Revised, Address>(
  calls: RecordReads<Item, Address>,
  environment: string,
  address: Address,
) {
  return queryOptions({
    queryKey: cacheOf(calls).keyOf(environment, address),
    queryFn: ({ signal }) => calls.get(environment, address, { signal }),
    staleTime: 10_000,
  });
}

/** Caches the record that a write returned, and invalidates lists that may contain it. */
export function keepRecord<Item extends Revised, Address>(
  queryClient: QueryClient,
  calls: Omit<RecordReads<Item, Address>, 'get'>,
  environment: string,
  item: Item,
  before?: Address,
): void {
  cacheOf(calls).keep(queryClient, environment, item, before);
}

/** Removes a deleted record from everything that the page shows. */
export function forgetRecord<Item extends Revised, Address>(
  queryClient: QueryClient,
  calls: Omit<RecordReads<Item, Address>, 'get'>,
  environment: string,
  address: Address,
): void {
  cacheOf(calls).forget(queryClient, environment, address);
}

/** Reads a record past the cache; undefined if it is deleted. */
export async function readRecord<Item extends Revised, Address>(
  queryClient: QueryClient,
  calls: RecordReads<Item, Address>,
  environment: string,
  address: Address,
): Promise<Item | undefined> {
  try {
    const found = await calls.get(environment, address, {});
    keepRecord(queryClient, calls, environment, found, address);
    return found;
  } catch (error) {
    if (isApiError(error, 'not-found')) return undefined;
    throw error;
  }
}

// Variables of a write may hold a secret, so they are dropped as soon as it is answered.
const forgetAtOnce = { gcTime: 0 } as const;

/** Asserts that the kind has a write; pages offer no others. */
function having<Write>(write: Write | undefined): Write {
  if (write === undefined) throw new Error('Records of this kind lack this write.');
  return write;
}

/** @param decided the decision of the conflict that it resolves */
export function useCreateRecord<Item extends Revised, New>(
  calls: LifeCalls<Item, New, never, never>,
  environment: string,
  decided?: Decided,
) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: async (body: New) => having(calls.create)(environment, body, decided),
    onSuccess: (item) => {
      keepRecord(queryClient, calls, environment, item);
    },
  });
}

interface RecordUpdate<Item, Changes, Address> {
  readonly address: Address;
  readonly guard: Guard;
  readonly changes: Changes;
  /** Called with the record after each step of an update in several writes. */
  readonly reached?: (item: Item) => void;
}

export function useUpdateRecord<Item extends Revised, Changes, Address>(
  calls: LifeCalls<Item, never, Changes, Address>,
  environment: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    ...forgetAtOnce,
    mutationFn: async ({ address, guard, changes, reached }: RecordUpdate<Item, Changes, Address>) =>
      having(calls.update)(environment, address, guard, changes, reached),
    onSuccess: (item, { address }) => {
      keepRecord(queryClient, calls, environment, item, address);
    },
  });
}

export function useDeleteRecord<Item extends Revised, Address>(
  calls: LifeCalls<Item, never, never, Address>,
  environment: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ address, revision }: { address: Address; revision: string }) =>
      having(calls.remove).run(environment, address, revision),
    onSuccess: (_, { address }) => {
      forgetRecord(queryClient, calls, environment, address);
    },
  });
}
