import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const everyMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;
let now = Date.now();

function renew(): void {
  now = Date.now();
  timer = setTimeout(renew, everyMs);
  for (const told of listeners) told();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // A slightly old time is good enough; a newer one would make all users of the hook render twice.
    const age = Date.now() - now;
    if (age < 0 || age >= everyMs) now = Date.now();
    timer = setTimeout(renew, everyMs - (Date.now() - now));
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
    }
  };
}

/** The current time in ms, updated every ten seconds by one shared timer. */
export function useNow(): number {
  return useSyncExternalStore(
    subscribe,
    () => now,
    () => now,
  );
}
