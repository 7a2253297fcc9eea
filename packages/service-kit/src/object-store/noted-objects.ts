import { randomUUID } from 'node:crypto';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import { withoutConditions } from '../write-queue.ts';
import type { ObjectStore } from './object-store.ts';

/**
 * A service's `leftover` table: the keys of objects that were being received or are no longer referred to. A row of an
 * object that is referred to has no effect.
 */
export interface LeftoverTable {
  key: string;
}

/** Most objects deleted at a start, which waits for it; the next start deletes more. */
const mostAtStart = 500;

/**
 * Notes each object in the service's database before it is stored, so that the next start can delete what an
 * interrupted upload left without touching any other object: another database may have put those there.
 */
export function notedObjects(store: Store<{ leftover: LeftoverTable }>, objects: ObjectStore): ObjectStore {
  return {
    ...objects,
    async receive(body, digest, room, key = randomUUID()) {
      await store.write((tx) => tx.run(tx.build.insertInto('leftover').values({ key }).compile()));
      return objects.receive(body, digest, room, key);
    },
    async remove(key) {
      await objects.remove(key);
      await forget(store, [key]);
    },
  };
}

/**
 * Deletes noted objects that nothing refers to. Only call while nothing is being received. Does nothing if the store
 * can't be reached.
 */
export async function sweepNoted(
  store: Store<{ leftover: LeftoverTable }>,
  objects: ObjectStore,
  isReferred: (key: string) => boolean,
  log: Log,
): Promise<void> {
  try {
    const noted = store.all(store.build.selectFrom('leftover').select('key').compile());
    const referred: string[] = [];
    const left: string[] = [];
    for (const { key } of noted) (isReferred(key) ? referred : left).push(key);
    const due = left.slice(0, mostAtStart);
    const count = await objects.sweep(new Set(due));
    await forget(store, [...referred, ...due]);
    if (count > 0) log.info('removed what interrupted uploads left', { count });
  } catch (error) {
    log.warn('objects not swept', { error });
  }
}

async function forget(store: Store<{ leftover: LeftoverTable }>, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await withoutConditions(() =>
    store.write((tx) => {
      for (const key of keys) tx.run(tx.build.deleteFrom('leftover').where('key', '=', key).compile());
    }),
  );
}
