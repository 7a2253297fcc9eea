import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { dataOf } from './query-client.ts';

test('what is made of a read has its data, also when whoever began the read leaves', async () => {
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
