import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useRouter,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { order, searchOf, words } from '#lib/search.ts';
import { useSearchState } from './use-search-state.ts';
import { useSearchText } from './use-search-text.ts';

const listSearch = searchOf({ q: words, sort: order, entry: words });

function List() {
  const router = useRouter();
  const [search, change] = useSearchState(listSearch);
  const { text, write } = useSearchText(search.q ?? '', (q) => {
    change({ q: q === '' ? undefined : q });
  });
  return (
    <>
      <input
        value={text}
        onChange={({ target }) => {
          write(target.value);
        }}
      />
      <output>{JSON.stringify(search)}</output>
      <button onClick={() => void router.navigate({ href: '/record' })}>Record</button>
      <button
        onClick={() => {
          change({ sort: 'name' });
        }}
      >
        Sort
      </button>
      <button
        onClick={() => {
          change({ entry: 'first' }, true);
        }}
      >
        Entry
      </button>
    </>
  );
}

let history: ReturnType<typeof createBrowserHistory>;

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
  // The typing pause never ends.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  window.history.replaceState(null, '', '/list');
  history = createBrowserHistory();
});
afterEach(() => {
  cleanup();
  history.destroy();
  vi.useRealTimers();
});

async function openList(): Promise<HTMLInputElement> {
  const root = createRootRoute();
  const list = createRoute({ getParentRoute: () => root, path: '/list', component: List });
  const record = createRoute({
    getParentRoute: () => root,
    path: '/record',
    component: () => <h1>Record</h1>,
  });
  const router = createRouter({ routeTree: root.addChildren([list, record]), history });
  render(<RouterProvider router={router as never} />);
  return await field();
}

const field = (): Promise<HTMLInputElement> =>
  vi.waitFor(() => screen.getByRole<HTMLInputElement>('textbox'));
const address = (): string => window.location.pathname + window.location.search;

async function click(name: string): Promise<void> {
  await act(async () => {
    fireEvent.click(screen.getByText(name));
    await Promise.resolve();
  });
}

async function goBack(): Promise<void> {
  await act(async () => {
    const back = new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
    });
    window.history.back();
    await back;
  });
}

test('Back from a record that was opened while typing restores the text', async () => {
  fireEvent.change(await openList(), { target: { value: 'web' } });
  await click('Record');
  await vi.waitFor(() => screen.getByRole('heading'));
  expect(address()).toBe('/record');
  await goBack();
  expect((await field()).value).toBe('web');
  expect(address()).toBe('/list?q=web');
});

test('sorting or opening an entry while typing keeps the text', async () => {
  fireEvent.change(await openList(), { target: { value: 'web' } });
  await click('Sort');
  await vi.waitFor(() => {
    expect(screen.getByRole('status').textContent).toBe('{"q":"web","sort":"name"}');
  });
  fireEvent.change(await field(), { target: { value: 'web 1' } });
  await click('Entry');
  await vi.waitFor(() => {
    expect(address()).toBe('/list?q=web+1&sort=name&entry=first');
  });
  await goBack();
  expect(address()).toBe('/list?q=web+1&sort=name');
  expect((await field()).value).toBe('web 1');
});
