import { act, cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPart, lazy, retryParts, useIsPartMissing } from './parts.ts';

let isOnline = true;
/** Whether fetching the file succeeds. */
let isServed = false;
const load = vi.fn<() => Promise<{ default: () => string }>>(() =>
  isServed
    ? Promise.resolve({ default: () => 'The part' })
    : Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(async () => {
  // A part left by the test is still being fetched.
  isServed = true;
  await act(() => vi.runAllTimersAsync());
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  load.mockClear();
  isOnline = true;
  isServed = false;
});

function Page({ part: Part }: { part: ReturnType<typeof lazy> }) {
  const isMissing = useIsPartMissing();
  return (
    <>
      <p>{isMissing ? 'A part is missing' : 'Whole'}</p>
      <Suspense fallback="The fallback">
        <Part />
      </Suspense>
    </>
  );
}

/** Renders a page and waits until the first attempt is over. */
async function open() {
  const part = lazy(load);
  await act(async () => {
    render(<Page part={part} />);
    await vi.advanceTimersByTimeAsync(0);
  });
}

test('fetches a part again when the network is back', async () => {
  isOnline = false;
  await open();
  expect(screen.getByText('The fallback')).toBeDefined();
  // A part that fails offline isn't reported as missing.
  expect(screen.getByText('Whole')).toBeDefined();
  isOnline = true;
  isServed = true;
  await act(async () => {
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('The part')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

test('reports a part that failed online as missing until a retry succeeds', async () => {
  await open();
  expect(screen.getByText('A part is missing')).toBeDefined();
  await act(async () => {
    retryParts();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('A part is missing')).toBeDefined();
  isServed = true;
  await act(async () => {
    retryParts();
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(screen.getByText('The part')).toBeDefined();
  expect(screen.getByText('Whole')).toBeDefined();
  expect(load).toHaveBeenCalledTimes(3);
});

test('fetches a part for an event until it arrives', async () => {
  const part = fetchPart(load);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(load).toHaveBeenCalledOnce();
  isServed = true;
  await vi.advanceTimersByTimeAsync(1);
  expect((await part).default()).toBe('The part');
  // Only one attempt at a time, and none after success.
  window.dispatchEvent(new Event('online'));
  retryParts();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});
