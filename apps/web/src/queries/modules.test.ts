// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { moduleSearchQuery } from './modules.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A registry of `count` modules that returns at most `most` per request. */
function registryOf(count: number, most: number): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    const url = new URL(address, 'http://console.test');
    asked.push(url);
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit')), most);
    const end = Math.min(offset + limit, count);
    const modules = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({
      name: `m${offset + index}`,
    }));
    return Promise.resolve(Response.json({ modules, next_offset: end < count ? end : null, may: null }));
  });
  return asked;
}

test.each([100, 50, 20, 7])(
  'pages of 50 contain each module once, although the registry returns %d at a time',
  async (most) => {
    registryOf(120, most);
    const client = new QueryClient();
    const pages = await Promise.all(
      [1, 2, 3].map((page) => client.fetchQuery(moduleSearchQuery('e', { page }))),
    );
    expect(pages.map(({ modules, more }) => [modules.length, more])).toEqual([
      [50, true],
      [50, true],
      [20, false],
    ]);
    expect(pages.flatMap(({ modules }) => modules.map(({ name }) => name))).toEqual(
      Array.from({ length: 120 }, (_, index) => `m${index}`),
    );
  },
);

test('filters without a value are not sent, and a registry that repeats its offset is not queried endlessly', async () => {
  const asked = registryOf(3, 50);
  const client = new QueryClient();
  await client.fetchQuery(moduleSearchQuery('e', {}));
  await client.fetchQuery(moduleSearchQuery('e', { q: 'vpc', verified: true, deprecated: false }));
  expect(asked.map(({ search }) => search)).toEqual([
    '?limit=50',
    '?q=vpc&verified=true&deprecated=false&limit=50',
  ]);
  const stuck = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ modules: [], next_offset: 0, may: null })),
  );
  vi.stubGlobal('fetch', stuck);
  await expect(client.fetchQuery(moduleSearchQuery('e', { q: 'x' }))).resolves.toEqual({
    modules: [],
    more: true,
    may: null,
  });
  expect(stuck).toHaveBeenCalledOnce();
});
