/** What lists, details and forms of any kind of records have in common. */
import { queryOptions, type QueryClient } from '@tanstack/react-query';

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

export interface WriteContext<Item> {
  /** Hears how far a change got that takes several writes. */
  readonly reached?: (item: Item) => void;
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
  readonly create: (environment: string, body: New) => Promise<Item>;
  readonly update: (
    environment: string,
    address: Address,
    revision: string,
    changes: Changes,
    context: WriteContext<Item>,
  ) => Promise<Item>;
  readonly remove: (environment: string, address: Address, revision: string) => Promise<void>;
}

/** What a page does with the records of a kind: reading one, and the writes that the kind has. */
export type LifeCalls<Item extends Revised, New, Changes, Address = string> = RecordReads<Item, Address> &
  Partial<Pick<RecordCalls<Item, New, Changes, Address>, 'create' | 'update' | 'remove'>>;

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
