import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { noteRecentPlace, recentPlaces } from '#lib/recent-places.ts';
import { useFavorite, useGoneFavorite, type Favorite } from './favorites.ts';
import { preferencesQuery } from './preferences.ts';

afterEach(cleanup);

/** Opens the page of a record with this name, whose address is the path. */
async function open(
  favorites: readonly Favorite[],
  name: string,
  path = '/local/targets/a',
  component?: () => React.ReactNode,
) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(preferencesQuery.queryKey, { favorites });
  function Page() {
    const { isFavorite, toggle, disabledReason } = useFavorite(name);
    return (
      <>
        <button type="button" onClick={toggle}>
          {isFavorite ? 'Remove' : 'Add'}
        </button>
        <output>{disabledReason}</output>
      </>
    );
  }
  const root = createRootRoute();
  const loaded = Promise.withResolvers<void>();
  const routes = [
    createRoute({ getParentRoute: () => root, path, component: component ?? Page }),
    createRoute({
      getParentRoute: () => root,
      path: '/local/targets/b',
      component: () => 'The next page',
      loader: () => loaded.promise,
    }),
  ];
  const router = createRouter({
    routeTree: root.addChildren(routes),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const button = await screen.findByRole('button');
  return {
    button,
    reason: () => screen.getByRole('status').textContent,
    stored: () => queryClient.getQueryData(preferencesQuery.queryKey)?.['favorites'],
    loaded,
    goTo: (href: string) => {
      router.history.push(href);
    },
  };
}

test("a favorite gets its record's new name when the record's page is opened", async () => {
  const others = { href: '/local/targets/b', title: 'Other' };
  const page = await open([others, { href: '/local/targets/a', title: 'Old' }], 'New');
  const renamed = [others, { href: '/local/targets/a', title: 'New' }];
  await expect.poll(page.stored).toEqual(renamed);
  // The page of the other record is on its way.
  page.goTo('/local/targets/b');
  await expect.poll(() => page.button.textContent).toBe('Remove');
  page.loaded.resolve();
  await screen.findByText('The next page');
  expect(page.stored()).toEqual(renamed);
});

test('a favorite whose record is gone is marked until it is found again, and can be removed', async () => {
  const other = { href: '/local/targets/b', title: 'Other' };
  const gone = { href: '/local/targets/a', title: 'Mine', isGone: true };
  noteRecentPlace('/local/targets/a?tab=sources', 'Target');
  const Gone = (): React.ReactNode => {
    const remove = useGoneFavorite();
    return (
      <button type="button" onClick={remove}>
        {remove ? 'Remove' : 'No favorite'}
      </button>
    );
  };
  const page = await open([other, { href: gone.href, title: 'Mine' }], '', gone.href, Gone);
  await expect.poll(page.stored).toEqual([other, gone]);
  expect(recentPlaces()).toEqual([]);
  fireEvent.click(page.button);
  await expect.poll(() => page.button.textContent).toBe('No favorite');
  expect(page.stored()).toEqual([other]);
  cleanup();
  const found = await open([other, gone], 'Mine');
  await expect.poll(found.stored).toEqual([other, { href: gone.href, title: 'Mine' }]);
});

test('favorites with long paths are refused before they are too large to store', async () => {
  const long = (at: number): Favorite => ({ href: `/local/${at}${'x'.repeat(990)}`, title: 'Long' });
  const reason = 'You can have 40 favorites, fewer with long paths. Remove one on the Overview first.';
  const few = Array.from({ length: 15 }, (_, at) => long(at));
  const page = await open(few, 'One');
  expect(page.reason()).toBe('');
  fireEvent.click(page.button);
  expect(page.stored()).toEqual([{ href: '/local/targets/a', title: 'One' }, ...few]);
  cleanup();
  expect((await open([...few, long(15)], 'One')).reason()).toBe(reason);
  cleanup();
  const many = Array.from({ length: 40 }, (_, at) => ({ href: `/local/${at}`, title: 'Short' }));
  expect((await open(many, 'One')).reason()).toBe(reason);
});
