import { lazy as reactLazy, useSyncExternalStore } from 'react';

/** Pause before a failed part is fetched again. */
const pauseMs = 30_000;

/** Parts whose last fetch failed while the browser was online. */
const missing = new Set<unknown>();
const listeners = new Set<() => void>();
const waiting = new Set<() => void>();
/** Number of parts being fetched again automatically. */
let retries = 0;

/**
 * Fetches a part of the page until it arrives, for places that can't show a failure: again when the network is back,
 * when the user presses Retry, and every 30 seconds. A place that can show a failure, such as a form, uses `import()`.
 * @param load calls `import()`
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  let isRetry = false;
  for (;;) {
    if (isRetry) retries += 1;
    try {
      const part = await load();
      mark(load, false);
      return part;
    } catch (error) {
      console.warn(error);
      mark(load, navigator.onLine);
    } finally {
      if (isRetry) retries -= 1;
    }
    isRetry = await nextTry();
  }
}

/** React's `lazy`, but a failed import is repeated; the fallback stays until the part arrives. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => fetchPart(load));

/** Fetches all missing parts again immediately. */
export function retryParts(): void {
  for (const retry of waiting) retry();
}

/** True while a part of the page is missing although the browser is online. */
export function useIsPartMissing(): boolean {
  return useSyncExternalStore(subscribe, () => missing.size > 0);
}

/** Whether a part is being fetched again automatically, perhaps while the user is typing. */
export function isRetryingParts(): boolean {
  return retries > 0;
}

function mark(part: unknown, isMissing: boolean): void {
  if (isMissing) missing.add(part);
  else missing.delete(part);
  for (const listener of listeners) listener();
}

/** Waits until a part should be fetched again. @returns false if the user asked for it */
function nextTry(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isRetry: boolean): void => {
      waiting.delete(ask);
      window.removeEventListener('online', retry);
      clearTimeout(timer);
      resolve(isRetry);
    };
    const ask = (): void => {
      end(false);
    };
    const retry = (): void => {
      end(true);
    };
    const timer = setTimeout(retry, pauseMs);
    window.addEventListener('online', retry);
    waiting.add(ask);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
