import type { LostWrite } from '@gatehouse/api-types/console/replication-status';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { lostWritesQuery } from './replication.ts';

const write = (id: number): LostWrite => ({
  id,
  seq: id,
  time: '2026-01-01T00:00:00.000Z',
  found_time: '2026-01-01T00:00:00.000Z',
  records: [`secret/a version ${id}`],
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('lost writes are read in pages, each older than the previous one, until a page is not full', async () => {
  const newest = 120;
  const asked: string[] = [];
  // The network.
  vi.stubGlobal('fetch', (input: string | URL | Request) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input, 'http://console');
    asked.push(String(searchParams));
    const from = Number(searchParams.get('before') ?? newest + 1) - 1;
    const count = Math.min(from, Number(searchParams.get('limit')));
    const items = Array.from({ length: count }, (_each, index) => write(from - index));
    return Promise.resolve(Response.json({ items, total: newest }));
  });
  const client = new QueryClient();
  const { pages } = await client.fetchInfiniteQuery({ ...lostWritesQuery('local', 'primary'), pages: 5 });
  expect(asked).toEqual(['limit=50', 'limit=50&before=71', 'limit=50&before=21']);
  const ids = pages.flatMap(({ items }) => (items ?? []).map(({ id }) => id));
  expect(ids).toEqual(Array.from({ length: newest }, (_each, index) => newest - index));
});
