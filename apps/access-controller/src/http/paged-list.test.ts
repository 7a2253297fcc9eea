import { Slices } from '@gatehouse/service-kit/slices';
import { describe, expect, test } from 'vitest';
import type { Versioned } from '../domain/resource.ts';
import type { Listing } from '../store/listing.ts';
import { textOf, type Wire } from '../testing/controller.ts';
import { answerPage, type AskedListing } from './paged-list.ts';

/** More batches than a list reads in a few slices. */
const tooMany = 100_000;

test.each(['first page', 'refresh'])(
  'stops reading an unfiltered %s when its client disconnects',
  async (kind) => {
    let read = 0;
    const batch = (limit: number): Versioned[] => {
      read += 1;
      if (read > tooMany) throw new Error('the list was read after its client had left');
      return Array.from({ length: limit }, (_, at) => ({
        id: `t_${at}`,
        version: 1,
        createdTime: 0,
        updatedTime: 0,
      }));
    };
    const listing: Listing<Versioned> = {
      page: (_within, _after, limit) => ({ items: kind === 'refresh' ? [] : batch(limit), isFull: false }),
      changedPage: (_within, _since, before, limit) => ({
        items: batch(limit).map((item) => ({ item, change: before - 1 })),
        isFull: false,
      }),
      removedSince: () => [],
      count: () => 0,
      lastChange: () => 1,
    };
    const asked: AskedListing<Versioned> = {
      listing,
      within: 'all',
      of: [],
      toWire: (item) => ({ ...item }),
      belongs: () => false,
    };
    const ask = async (token: string) =>
      answerPage(
        asked,
        {
          pageSize: 10,
          filter: undefined,
          filterText: '',
          token,
          slices: new Slices(() => read > 10, { name: 'ada', isKnown: true }),
        },
        0,
      );
    const token = kind === 'refresh' ? textOf(JSON.parse(String(await ask(''))) as Wire, 'list_token') : '';
    await expect(ask(token)).rejects.toMatchObject({ status: 499 });
  },
);

describe('a page', () => {
  interface Item extends Versioned {
    readonly size: number;
  }
  const kib = 1024;
  /** A list of items of these sizes in KiB, newest first; the newest was changed last. */
  const listingOf = (sizes: readonly number[], onRead: (limit: number) => void = () => undefined) => {
    const items = sizes.map((size, at): Item => ({
      id: `t_${at}`,
      version: 1,
      createdTime: sizes.length - at,
      updatedTime: 0,
      size: size * kib,
    }));
    const listing: Listing<Item> = {
      page(_within, after, limit) {
        onRead(limit);
        const left = items.filter(({ createdTime }) => createdTime < (after?.createdTime ?? Infinity));
        return { items: left.slice(0, limit), isFull: false };
      },
      changedPage(_within, since, before, limit) {
        onRead(limit);
        const left = items
          .map((item) => ({ item, change: item.createdTime + 1 }))
          .filter(({ change }) => change > since && change < before);
        return { items: left.slice(0, limit), isFull: false };
      },
      removedSince: () => [],
      count: () => sizes.length,
      lastChange: () => changed,
    };
    let changed = 1;
    return { listing, change: () => void (changed = sizes.length + 1) };
  };
  const pagesOf = async (listing: Listing<Item>, pageSize: number, token = '') => {
    const asked: AskedListing<Item> = {
      listing,
      within: 'all',
      of: [],
      toWire: ({ id, size }) => ({ id, text: 'x'.repeat(size) }),
    };
    const pages: Wire[] = [];
    for (;;) {
      const slices = new Slices(() => false, { name: 'ada', isKnown: true });
      const request = { pageSize, filter: undefined, filterText: '', token, slices };
      const page = JSON.parse(String(await answerPage(asked, request, 0))) as Wire;
      pages.push(page);
      token = textOf(page, 'list_token');
      if (page['response_type'] === 'complete') return { pages, token };
    }
  };
  const idsOf = (pages: readonly Wire[]): unknown =>
    pages.map((page) => (page['items'] as Wire[]).map(({ id }) => id));

  test('ends with the item that makes it 2 MiB long, and the next one continues there', async () => {
    const { listing, change } = listingOf([1, 1, 3_000, 1, 700, 700, 700, 700, 1]);
    const expected = [
      ['t_0', 't_1', 't_2'],
      ['t_3', 't_4', 't_5', 't_6'],
      ['t_7', 't_8'],
    ];
    const listed = await pagesOf(listing, 1000);
    expect(idsOf(listed.pages)).toEqual(expected);
    expect(listed.pages.map((page) => page['est_item_count'])).toEqual([9, 9, 9]);
    change();
    const refreshed = await pagesOf(listing, 1000, listed.token);
    expect(idsOf(refreshed.pages)).toEqual(expected);
    expect(refreshed.pages.map((page) => page['sort_by'])).toEqual(Array(3).fill('updated_time'));
    expect(idsOf((await pagesOf(listing, 1000, refreshed.token)).pages)).toEqual([[]]);
  });

  test('that an item fills is the last one if no other follows', async () => {
    expect(idsOf((await pagesOf(listingOf([5_000]).listing, 1000)).pages)).toEqual([['t_0']]);
    expect(idsOf((await pagesOf(listingOf([1, 1, 1, 1]).listing, 2)).pages)).toEqual([
      ['t_0', 't_1'],
      ['t_2', 't_3'],
    ]);
  });

  test('reads fewer items at once if reading them takes long', async () => {
    const limits: number[] = [];
    const slow = (limit: number): void => {
      limits.push(limit);
      for (const end = performance.now() + 5; performance.now() < end;);
    };
    const sizes = Array<number>(40).fill(0);
    const { pages } = await pagesOf(listingOf(sizes, slow).listing, 1000);
    expect(pages).toHaveLength(1);
    expect(limits.slice(0, 6)).toEqual([16, 8, 4, 2, 1, 1]);
  });
});
