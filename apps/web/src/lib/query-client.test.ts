import { focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorCode } from './api-error.ts';
import { dataOf, queryClient } from './query-client.ts';

test('a derived query has its data, even if the observer that began the read leaves', async () => {
  const client = new QueryClient();
  let reads = 0;
  const options = {
    queryKey: ['read'],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      reads += 1;
      if (reads > 1) return Promise.resolve('read again');
      return new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    },
  };
  const leave = new QueryObserver(client, options).subscribe(() => undefined);
  const data = dataOf(client, options);
  leave();
  expect(await data).toBe('read again');
});

test.each<[ApiErrorCode, boolean]>([
  ['not-connected', false],
  ['forbidden', false],
  ['not-found', true],
])('after the failure "%s", a read is repeated when its page is shown again: %s', async (code, isAsked) => {
  let reads = 0;
  const options = {
    queryKey: ['failing', code],
    queryFn: () => {
      reads += 1;
      return Promise.reject(new ApiError(code));
    },
  };
  const observer = new QueryObserver(queryClient, options);
  const statuses: string[] = [];
  const leave = observer.subscribe(({ status }) => statuses.push(status));
  const settled = () => vi.waitFor(() => expect(observer.getCurrentResult().status).toBe('error'));
  queryClient.mount();
  try {
    await settled();
    const leaveOther = new QueryObserver(queryClient, options).subscribe(() => undefined);
    await settled();
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await settled();
    expect(reads).toBe(isAsked ? 3 : 1);
    expect(statuses.slice(statuses.indexOf('error')).includes('pending')).toBe(isAsked);
    leaveOther();
  } finally {
    leave();
    focusManager.setFocused(undefined);
    queryClient.unmount();
  }
});

test('a read with data is repeated after a failure when its page is shown again', async () => {
  let reads = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: ['failed-again'],
    queryFn: () => {
      reads += 1;
      return Promise.reject(new ApiError('forbidden'));
    },
    initialData: 'read before',
    staleTime: 0,
  });
  const leave = observer.subscribe(() => undefined);
  const failed = (times: number) =>
    vi.waitFor(() => expect([reads, observer.getCurrentResult().status]).toEqual([times, 'error']));
  queryClient.mount();
  try {
    await failed(1);
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await failed(2);
  } finally {
    leave();
    focusManager.setFocused(undefined);
    queryClient.unmount();
  }
});
