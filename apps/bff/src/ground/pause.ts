/** Waits for milliseconds of real time, or until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}

/** How long others wait for work that hangs, for example on an unresponsive disk, in milliseconds. */
export const patience = 5_000;

/** Waits until work ends, but no longer than `ms`. The work continues. @throws its error */
export async function atMost(work: Promise<unknown>, ms = patience): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/**
 * Stops work, and waits until it ends, but no longer than `ms`, however many callers stop it.
 * @param done work that ends soon after the abort, unless it hangs
 */
export function stopping(abort: AbortController, done: Promise<void>, ms?: number): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => {
    abort.abort(new Error('the work was stopped'));
    return (stopped ??= atMost(done, ms));
  };
}
