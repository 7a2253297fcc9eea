import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { ApiError } from '#lib/api-error.ts';
import { forgetRecord, keepRecord, readRecord, recordQuery } from './record-life.ts';
import type { LifeCalls, RecordReads } from './records.ts';

interface Shelf {
  readonly id: string;
  readonly revision: string;
}
const shelf = (id: string, revision = '1'): Shelf => ({ id, revision });

const shelves: RecordReads<Shelf> = {
  key: 'shelves',
  touches: ['rooms'],
  get: (_, id) =>
    id === 'gone' ? Promise.reject(new ApiError('not-found')) : Promise.resolve(shelf(id, '2')),
};

/** Books have no ID; shelf and title are their address. */
interface Book {
  readonly shelf: string;
  readonly title: string;
  readonly revision: string;
}
type BookAddress = Pick<Book, 'shelf' | 'title'>;
const kept: unknown[] = [];
const books: LifeCalls<Book, never, never, BookAddress> = {
  key: 'books',
  touches: [],
  cache: {
    keyOf: (environment, address) => [environment, 'books', address.shelf, address.title],
    keep: (_, environment, book, before) => {
      kept.push([environment, book.title, before?.title]);
    },
  },
  get: (_, address) => Promise.resolve({ ...address, revision: '1' }),
};

test('a record is cached by its ID, and a write invalidates the kinds that it touches', () => {
  const client = new QueryClient();
  const { queryKey } = recordQuery(shelves, 'local', 's1');
  client.setQueryData(['local', 'access', 'rooms', 'all'], []);
  client.setQueryData(['local', 'access', 'shelves', 'list', 'p'], []);
  client.setQueryData(['other', 'access', 'shelves', 'list', 'p'], []);
  keepRecord(client, shelves, 'local', shelf('s1'));
  expect(client.getQueryData(queryKey)).toEqual(shelf('s1'));
  const isStale = (...key: string[]) => client.getQueryState(key)?.isInvalidated;
  expect(isStale('local', 'access', 'rooms', 'all')).toBe(true);
  expect(isStale('local', 'access', 'shelves', 'list', 'p')).toBe(true);
  expect(isStale('other', 'access', 'shelves', 'list', 'p')).toBe(false);
  forgetRecord(client, shelves, 'local', 's1');
  expect(client.getQueryData(queryKey)).toBeUndefined();
});

test('a read past the cache updates the cache, returns undefined for a deleted record, and throws other failures', async () => {
  const client = new QueryClient();
  const { queryKey } = recordQuery(shelves, 'local', 's1');
  client.setQueryData(queryKey, shelf('s1'));
  await expect(readRecord(client, shelves, 'local', 's1')).resolves.toEqual(shelf('s1', '2'));
  expect(client.getQueryData(queryKey)).toEqual(shelf('s1', '2'));
  await expect(readRecord(client, shelves, 'local', 'gone')).resolves.toBeUndefined();
  const refused = { ...shelves, get: () => Promise.reject(new ApiError('forbidden')) };
  await expect(readRecord(client, refused, 'local', 's1')).rejects.toThrow('forbidden');
});

test('a kind addressed by names has its own keys, and its cache receives the previous address', async () => {
  const client = new QueryClient();
  const address = { shelf: 's1', title: 'Old' };
  expect(recordQuery(books, 'local', address).queryKey).toEqual(['local', 'books', 's1', 'Old']);
  keepRecord(client, books, 'local', { ...address, title: 'New', revision: '2' }, address);
  await readRecord(client, books, 'local', address);
  expect(kept).toEqual([
    ['local', 'New', 'Old'],
    ['local', 'Old', 'Old'],
  ]);
  client.setQueryData(['local', 'books', 's1', 'Old'], { ...address, revision: '2' });
  forgetRecord(client, books, 'local', address);
  expect(client.getQueryData(['local', 'books', 's1', 'Old'])).toBeUndefined();
});
