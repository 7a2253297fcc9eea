import type { Slices } from '@gatehouse/service-kit/slices';
import type { Request } from 'express';
import { formatListToken, invalidListToken, parseListToken } from '../domain/list-token.ts';
import type { ListPosition } from '../domain/list-token.ts';
import type { FieldFaults } from '../domain/refusal.ts';
import type { Versioned, Within } from '../domain/resource.ts';
import type { Listing } from '../store/listing.ts';
import type { Context } from './context.ts';
import { allowanceOf, readFilter, type ItemFilter } from './filter.ts';
import { QueryReader } from './query.ts';

/** Most items of a page, and of a batch read from the store. */
const maxPage = 1000;

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
  readonly listing: Listing<Item>;
  readonly within: Within;
  /** All parameters that identify this listing, except the filter. A list token is valid for one listing only. */
  readonly of: readonly string[];
  readonly toWire: (item: Item) => Readonly<Record<string, unknown>>;
  /** Whether an item belongs to the listing; by default all items do. */
  readonly belongs?: (item: Item) => boolean;
}

/**
 * Answers a list operation with a page, newest first. The token of a `delta` page continues the listing; that of a
 * `complete` page requests the changes since then.
 * @param now milliseconds since the epoch
 * @throws Refusal `invalid list token`
 * @throws HttpError 499 if the client has disconnected
 */
export async function answerPage<Item extends Versioned>(
  asked: AskedListing<Item>,
  request: PageRequest,
  now: number,
): Promise<Readonly<Record<string, unknown>>> {
  const of = [...asked.of, request.filterText].join('\n');
  const lastChange = asked.listing.lastChange();
  const position = request.token === '' ? undefined : parseListToken(request.token, of, now);
  if (position !== undefined && position.since > lastChange)
    throw invalidListToken('It belongs to another controller.');
  const page =
    position === undefined || position.phase === 'listing'
      ? await listingPage(asked, request, position, lastChange)
      : await refreshPage(asked, request, position, lastChange);
  return {
    items: page.items,
    response_type: page.next.phase === 'listed' ? 'complete' : 'delta',
    list_token: formatListToken(page.next, of, now),
    sort_by: page.sortBy,
    sort_dir: 'desc',
    est_item_count: asked.listing.count(asked.within),
    removed_ids: page.removedIds,
  };
}

interface Page {
  readonly items: readonly unknown[];
  readonly removedIds: readonly string[];
  readonly next: ListPosition;
  readonly sortBy: 'created_time' | 'updated_time';
}

async function listingPage<Item extends Versioned>(
  asked: AskedListing<Item>,
  request: PageRequest,
  position: (ListPosition & { readonly phase: 'listing' }) | undefined,
  lastChange: number,
): Promise<Page> {
  const since = position?.since ?? lastChange;
  const items: unknown[] = [];
  let after = position?.after;
  for (;;) {
    // Comes before the read, whose items are in memory until the end.
    await request.slices.giveWay();
    const { items: batch, isFull } = asked.listing.page(asked.within, after, batchSize(request));
    for (const item of batch) {
      // A full page isn't the last one only if another item matches. A page ends sooner if its items have many links.
      const wire = await matching(asked, request, item);
      if (wire !== undefined) {
        if (items.length === request.pageSize && after !== undefined) {
          return { items, removedIds: [], next: { phase: 'listing', since, after }, sortBy: 'created_time' };
        }
        items.push(wire);
      }
      after = { createdTime: item.createdTime, id: item.id };
    }
    if (isFull && items.length > 0 && after !== undefined)
      return { items, removedIds: [], next: { phase: 'listing', since, after }, sortBy: 'created_time' };
    if (!isFull && batch.length < batchSize(request)) {
      return { items, removedIds: [], next: { phase: 'listed', since }, sortBy: 'created_time' };
    }
  }
}

async function refreshPage<Item extends Versioned>(
  asked: AskedListing<Item>,
  request: PageRequest,
  position: ListPosition & { readonly phase: 'listed' | 'refreshing' },
  lastChange: number,
): Promise<Page> {
  const { since } = position;
  const until = position.phase === 'refreshing' ? position.until : lastChange;
  const removedIds = position.phase === 'refreshing' ? [] : asked.listing.removedSince(asked.within, since);
  if (removedIds === undefined)
    throw invalidListToken(
      'More than 10,000 items were removed since it was issued. List from the beginning.',
    );
  const items: unknown[] = [];
  let before = position.phase === 'refreshing' ? position.before : until + 1;
  for (;;) {
    await request.slices.giveWay();
    const { items: batch, isFull } = asked.listing.changedPage(
      asked.within,
      since,
      before,
      batchSize(request),
    );
    for (const { item, change } of batch) {
      const wire = await matching(asked, request, item);
      if (wire === undefined) {
        // Reports the item as removed: it may have matched before.
        removedIds.push(item.id);
      } else {
        if (items.length === request.pageSize) {
          const next: ListPosition = { phase: 'refreshing', since, until, before };
          return { items, removedIds, next, sortBy: 'updated_time' };
        }
        items.push(wire);
      }
      before = change;
    }
    if (isFull && items.length > 0) {
      const next: ListPosition = { phase: 'refreshing', since, until, before };
      return { items, removedIds, next, sortBy: 'updated_time' };
    }
    if (!isFull && batch.length < batchSize(request)) {
      return { items, removedIds, next: { phase: 'listed', since: until }, sortBy: 'updated_time' };
    }
  }
}

/** Reads one item more than a page, to find out whether another page follows; with a filter, a full batch. */
function batchSize({ filter, pageSize }: PageRequest): number {
  return filter === undefined ? pageSize + 1 : maxPage;
}

async function matching<Item>(
  { toWire, belongs }: AskedListing<Item>,
  { filter, slices }: PageRequest,
  item: Item,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  await slices.giveWay();
  if (belongs !== undefined && !belongs(item)) return undefined;
  const wire = toWire(item);
  return filter === undefined || filter.accepts(wire) ? wire : undefined;
}
