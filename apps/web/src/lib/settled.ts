import { queryClient } from './query-client.ts';

/** Resolves once no query is being fetched, after at most `mostMs`. */
export function settled(mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (queryClient.isFetching() === 0) stop();
    };
    const timer = setTimeout(() => {
      stop();
    }, mostMs);
    const unsubscribe = queryClient.getQueryCache().subscribe(look);
    const stop = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    look();
  });
}
