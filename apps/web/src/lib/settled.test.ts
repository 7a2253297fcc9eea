import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-client.ts';
import { settled } from './settled.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

test('resolves at once if nothing is being fetched', async () => {
  await settled(200);
  expect(vi.getTimerCount()).toBe(0);
});

test('waits for all queries in progress', async () => {
  const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  void queryClient.prefetchQuery({ queryKey: ['first'], queryFn: () => first.promise });
  void queryClient.prefetchQuery({ queryKey: ['second'], queryFn: () => second.promise });
  const ended = vi.fn<() => void>();
  const waiting = settled(200).then(ended);
  first.resolve(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(ended).not.toHaveBeenCalled();
  second.resolve(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
  await waiting;
});

test('does not wait for slow queries', async () => {
  void queryClient.prefetchQuery({
    queryKey: ['slow'],
    queryFn: () => new Promise(() => undefined),
    gcTime: Infinity,
  });
  const ended = vi.fn<() => void>();
  const waiting = settled(200).then(ended);
  await vi.advanceTimersByTimeAsync(199);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(ended).toHaveBeenCalledOnce();
});
