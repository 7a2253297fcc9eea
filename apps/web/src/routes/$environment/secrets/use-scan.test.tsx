import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useScan } from './use-scan.ts';

afterEach(cleanup);

interface Line {
  readonly kind: 'find' | 'failed';
  readonly text: string;
}
const find = (text: string): Line => ({ kind: 'find', text });
const after = (found: readonly string[], lines: readonly Line[]) => [
  ...found,
  ...lines.map(({ text }) => text),
];
const none: readonly string[] = [];

/** Sends lines on demand, and records whether anyone still listens. */
function source() {
  let next = Promise.withResolvers<Line | undefined>();
  const seen: { signal?: AbortSignal } = {};
  async function* begin(signal: AbortSignal): AsyncGenerator<Line> {
    seen.signal = signal;
    for (;;) {
      const line = await next.promise;
      if (line === undefined) return;
      yield line;
    }
  }
  return {
    seen,
    send: async (line: Line | undefined) => {
      const { resolve } = next;
      next = Promise.withResolvers();
      await act(async () => {
        resolve(line);
        await Promise.resolve();
      });
    },
    begin,
  };
}

test('shows results as they arrive, and the end', async () => {
  const { begin, send } = source();
  const { result } = renderHook(() => useScan({ asked: 'a', begin, after, none }));
  await send(find('one'));
  await waitFor(() => {
    expect(result.current).toMatchObject({ state: 'running', found: ['one'] });
  });
  await send(find('two'));
  await send(undefined);
  await waitFor(() => {
    expect(result.current).toMatchObject({ state: 'done', found: ['one', 'two'] });
  });
});

test('an early failure is still reported at the end', async () => {
  const { begin, send } = source();
  const { result } = renderHook(() => useScan({ asked: 'a', begin, after, none }));
  await send({ kind: 'failed', text: 'sealed' });
  await waitFor(() => {
    expect(result.current.found).toEqual(['sealed']);
  });
  await send(undefined);
  await waitFor(() => {
    expect(result.current.state).toBe('failed');
  });
});

test('stops listening when stopped, when the key changes, and when unmounted', async () => {
  const { begin, send, seen } = source();
  const { result, rerender, unmount } = renderHook(({ asked }) => useScan({ asked, begin, after, none }), {
    initialProps: { asked: 'a' },
  });
  const first = seen.signal;
  await send(find('one'));
  act(() => {
    result.current.stop();
  });
  expect(first?.aborted).toBe(true);
  expect(result.current.state).toBe('stopped');
  rerender({ asked: 'b' });
  expect(result.current).toMatchObject({ state: 'running', found: [] });
  expect(seen.signal?.aborted).toBe(false);
  unmount();
  expect(seen.signal?.aborted).toBe(true);
});
