import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const everyMs = 10_000;
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // A time of a moment ago will do: another one would have everybody drawn twice.
    if (Date.now() - now >= everyMs) now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const told of listeners) told();
    }, everyMs);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The time now in ms, renewed every ten seconds for all who ask, by one timer. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  );
}
