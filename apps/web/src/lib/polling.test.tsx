import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { usePolling } from './polling.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a slow server is asked once at a time, and again after it has answered or failed', async () => {
  vi.useFakeTimers();
  const answers: PromiseWithResolvers<string>[] = [];
  const fetch = vi.fn<() => Promise<string>>(() => {
    const answer = Promise.withResolvers<string>();
    answers.push(answer);
    return answer.promise;
  });
  const client = new QueryClient();
  renderHook(() => usePolling({ queryKey: ['move'], fetch }, 1), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  answers[0]?.resolve('half');
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.getQueryData(['move'])).toBe('half');
  expect(fetch).toHaveBeenCalledTimes(2);
  answers[1]?.reject(new Error('no network'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(fetch).toHaveBeenCalledTimes(3);
});
