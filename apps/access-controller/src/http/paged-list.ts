import type { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { formatListToken, invalidListToken, parseListToken } from '../domain/list-token.ts';
import type { ListPosition } from '../domain/list-token.ts';
import type { FieldFaults } from '../domain/refusal.ts';
import type { Within } from '../domain/resource.ts';
import type { AfterItem, Batch, Listing, Pages } from '../store/listing.ts';
import type { Context } from './context.ts';
import { allowanceOf, readFilter, type ItemFilter } from './filter.ts';
import { QueryReader } from './query.ts';
import { listItem, withList } from './wire/list.ts';

/** Most items of a page, and of a batch read from the store. */
const maxPage = 1000;

/** A page ends with the item that makes its items this long, in bytes of JSON. */
const pageBytes = 2 * 1024 * 1024;

/** Items of the first batch. Further batches are larger while reading one takes less than `batchMs` milliseconds. */
const firstBatch = 16;
const batchMs = 2;

/** The common parameters of all paged list operations. */
export interface PageRequest {
  readonly pageSize: number;
  readonly filter: ItemFilter | undefined;
  readonly filterText: string;
  /** Empty for the first page. */
  readonly token: string;
  /** Turns for checking items. */
  readonly slices: Slices;
}

/**
 * Reads the parameters `page_size`, `filter` and `list_token`, and adds their faults.
 * @throws HttpError 499 if the client has disconnected
 */
export async function readPageRequest(
  context: Context,
  req: Request,
  faults: FieldFaults,
): Promise<PageRequest> {
  const query = new QueryReader(req, faults);
  const filterText = query.string('filter');
  const allowance = allowanceOf(context, req);
  return {
    pageSize: query.pageSize(maxPage),
    filter: await readFilter(filterText, allowance, faults),
    filterText,
    token: query.string('list_token'),
    slices: allowance.slices,
  };
}

/** A requested listing. */
export interface AskedListing<Item> {
  /** Without numbered changes, it can't be refreshed. */
  readonly listing: Listing<Item> | Pages<Item>;
  readonly within: Within;
  /** All parameters that identify this listing, except the filter. A list token is valid for one listing only. */
  readonly of: readonly string[];
  readonly toWire: (item: Item) => Readonly<Record<string, unknown>>;
  /** Whether an item belongs to the listing; by default all items do. */
  readonly belongs?: (item: Item) => boolean;
}

/**
 * Answers a list operation with a page, newest first. The token of a `delta` page continues the listing; that of a
 * `complete` page requests the changes since then, and is empty if the listing can't be refreshed.
 * @param now milliseconds since the epoch
 * @returns JSON
 * @throws Refusal `invalid list token`
 * @throws HttpError 499 if the client has disconnected
 */
export async function answerPage<Item extends AfterItem>(
  asked: AskedListing<Item>,
  request: PageRequest,
  now: number,
): Promise<Buffer> {
  const of = [...asked.of, request.filterText].join('\n');
  const changes = 'changedPage' in asked.listing ? asked.listing : undefined;
  const lastChange = changes?.lastChange() ?? 0;
  const position = request.token === '' ? undefined : parseListToken(request.token, of, now);
  if (position !== undefined && position.since > lastChange)
    throw invalidListToken('It belongs to another controller.');
  const page =
    position === undefined || position.phase === 'listing'
      ? await listingPage(asked, request, position, lastChange)
      : await refreshPage(asked, changes, request, position, lastChange);
  const answer = {
    response_type: page.next.phase === 'listed' ? 'complete' : 'delta',
    list_token:
      page.next.phase === 'listed' && changes === undefined ? '' : formatListToken(page.next, of, now),
    sort_by: page.sortBy,
    sort_dir: 'desc',
    est_item_count: asked.listing.count(asked.within),
    removed_ids: page.removedIds,
  };
  return withList(answer, 'items', page.items);
}

interface Page {
  /** JSON. */
  readonly items: readonly Buffer[];
  readonly removedIds: readonly string[];
  readonly next: ListPosition;
  readonly sortBy: 'created_time' | 'updated_time';
}

/** The items of a page. */
class PageItems {
  /** JSON. */
  readonly items: Buffer[] = [];
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.items.length === this.#most || this.#bytes >= pageBytes;
  }

  add(item: Buffer): void {
    this.items.push(item);
    this.#bytes += item.length;
  }
}

/**
 * Reads batches whose size depends on how long reading the previous one took: items may be short or have megabytes.
 * Without a filter, at most one item more than a page in total, to find out whether another page follows.
 */
class Batches {
  readonly #request: PageRequest;
  #size = firstBatch;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** @returns the batch, and whether it has all items that were left */
  async next<Item>(
    found: PageItems,
    read: (limit: number) => Batch<Item>,
  ): Promise<{ readonly batch: readonly Item[]; readonly isLast: boolean }> {
    const { filter, pageSize, slices } = this.#request;
    // Comes before the read, whose items are in memory until the end.
    await slices.giveWay();
    const left = filter === undefined ? pageSize + 1 - found.items.length : maxPage;
    const limit = Math.min(left, this.#size);
    const began = performance.now();
    const { items, isFull } = read(limit);
    const isFast = performance.now() - began < batchMs;
    this.#size = Math.max(1, Math.min(maxPage, isFast ? this.#size * 2 : Math.floor(this.#size / 2)));
    return { batch: items, isLast: !isFull && items.length < limit };
  }
}

async function listingPage<Item extends AfterItem>(
  asked: AskedListing<Item>,
  request: PageRequest,
  position: (ListPosition & { readonly phase: 'listing' }) | undefined,
  lastChange: number,
): Promise<Page> {
  const since = position?.since ?? lastChange;
  const page = new PageItems(request.pageSize);
  const end = (next: ListPosition): Page => ({
    items: page.items,
    removedIds: [],
    next,
    sortBy: 'created_time',
  });
  const batches = new Batches(request);
  let after = position?.after;
  for (;;) {
    const { batch, isLast } = await batches.next(page, (limit) =>
      asked.listing.page(asked.within, after, limit),
    );
    for (const item of batch) {
      const json = await matching(asked, request, item);
      if (json !== undefined) {
        // A full page isn't the last one only if another item matches.
        if (page.isFull && after !== undefined) return end({ phase: 'listing', since, after });
        page.add(json);
      }
      after = { createdTime: item.createdTime, id: item.id };
    }
    if (isLast) return end({ phase: 'listed', since });
  }
}

async function refreshPage<Item extends AfterItem>(
  asked: AskedListing<Item>,
  changes: Listing<Item> | undefined,
  request: PageRequest,
  position: ListPosition & { readonly phase: 'listed' | 'refreshing' },
  lastChange: number,
): Promise<Page> {
  if (changes === undefined) throw invalidListToken("This list can't be refreshed.");
  const { since } = position;
  const until = position.phase === 'refreshing' ? position.until : lastChange;
  const removedIds = position.phase === 'refreshing' ? [] : changes.removedSince(asked.within, since);
  if (removedIds === undefined)
    throw invalidListToken(
      'More than 10,000 items were removed since it was issued. List from the beginning.',
    );
  const page = new PageItems(request.pageSize);
  const end = (next: ListPosition): Page => ({ items: page.items, removedIds, next, sortBy: 'updated_time' });
  const batches = new Batches(request);
  let before = position.phase === 'refreshing' ? position.before : until + 1;
  for (;;) {
    const { batch, isLast } = await batches.next(page, (limit) =>
      changes.changedPage(asked.within, since, before, limit),
    );
    for (const { item, change } of batch) {
      const json = await matching(asked, request, item);
      if (json === undefined) {
        // Reports the item as removed: it may have matched before.
        removedIds.push(item.id);
      } else {
        if (page.isFull) return end({ phase: 'refreshing', since, until, before });
        page.add(json);
      }
      before = change;
    }
    if (isLast) return end({ phase: 'listed', since: until });
  }
}

/** The JSON of an item that belongs to the listing and matches the filter. */
async function matching<Item>(
  { toWire, belongs }: AskedListing<Item>,
  { filter, slices }: PageRequest,
  item: Item,
): Promise<Buffer | undefined> {
  await slices.giveWay();
  if (belongs !== undefined && !belongs(item)) return undefined;
  const wire = toWire(item);
  return filter === undefined || filter.accepts(wire) ? listItem(wire) : undefined;
}
