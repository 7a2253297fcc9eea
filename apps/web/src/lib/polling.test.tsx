import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { poll, usePolling } from './polling.ts';
import { putAnswer } from './query-client.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const queryKey = ['move'] as const;

/** A server that answers when the test resolves or rejects. */
function slowServer() {
  const answers: PromiseWithResolvers<string>[] = [];
  const queryFn = vi.fn<(context: { signal: AbortSignal }) => Promise<string>>(({ signal }) => {
    const answer = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => {
      answer.reject(signal.reason as Error);
    });
    answers.push(answer);
    return answer.promise;
  });
  return { answers, queryFn };
}

test('a slow server receives one request at a time, and another after it has answered or failed', async () => {
  vi.useFakeTimers();
  const { answers, queryFn } = slowServer();
  const client = new QueryClient();
  renderHook(
    () => {
      usePolling({ queryKey, queryFn }, 1);
    },
    { wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider> },
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(queryFn).toHaveBeenCalledTimes(1);
  answers[0]?.resolve('half');
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryData(queryKey)).toBe('half');
  expect(queryFn).toHaveBeenCalledTimes(2);
  answers[1]?.reject(new Error('no network'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryState(queryKey)).toMatchObject({ data: 'half', status: 'success' });
  expect(queryFn).toHaveBeenCalledTimes(3);
});

test.each<[string, (client: QueryClient) => unknown, string]>([
  [
    'a write was answered since',
    (client) => {
      putAnswer(client, queryKey, 'written');
    },
    'written',
  ],
  ['a write canceled the read', (client) => client.cancelQueries({ queryKey }), 'before'],
  [
    'the data was invalidated since',
    (client) => client.invalidateQueries({ queryKey, refetchType: 'none' }),
    'before',
  ],
  [
    'another read is in progress',
    (client) => {
      void client.fetchQuery({ queryKey, queryFn: () => new Promise(() => undefined) });
    },
    'before',
  ],
])('the answer to a poll is dropped if %s', async (_, meanwhile, kept) => {
  const { answers, queryFn } = slowServer();
  const client = new QueryClient();
  client.setQueryData(queryKey, 'before');
  const polled = poll(client, { queryKey, queryFn });
  expect(queryFn).toHaveBeenCalledTimes(1);
  await meanwhile(client);
  answers[0]?.resolve('of the time before');
  await polled;
  expect(client.getQueryData(queryKey)).toBe(kept);

  const next = poll(client, { queryKey: ['another'], queryFn });
  answers[1]?.resolve('news');
  await next;
  expect(client.getQueryData(['another'])).toBe('news');
});

test('the answer to a write is not replaced by a read that began before', async () => {
  const { answers, queryFn } = slowServer();
  const client = new QueryClient();
  client.setQueryData(queryKey, 'before');
  const read = client.fetchQuery({ queryKey, queryFn });
  putAnswer(client, queryKey, 'written');
  answers[0]?.resolve('of the time before');
  await read;
  expect(client.getQueryData(queryKey)).toBe('written');
});
