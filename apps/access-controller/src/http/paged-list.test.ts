import { Slices } from '@gatehouse/service-kit/slices';
import { expect, test } from 'vitest';
import type { Versioned } from '../domain/resource.ts';
import type { Listing } from '../store/listing.ts';
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
    const token = kind === 'refresh' ? String((await ask(''))['list_token']) : '';
    await expect(ask(token)).rejects.toMatchObject({ status: 499 });
  },
);
