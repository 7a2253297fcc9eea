import type { Schema } from './account-schema.ts';
import type { Clock } from './clock.ts';
import type { KnownAddresses } from './rate-limit.ts';
import type { Store } from './store.ts';

/** How long a known address is remembered, in milliseconds. */
const knownFor = 90 * 24 * 3_600_000;
/** How old a known address's record may get before it is updated, in milliseconds. */
const knownGrain = 24 * 3_600_000;

/** Remembers the addresses that accounts have signed in from. */
export function knownAddresses(store: Store<Schema>, clock: Clock): KnownAddresses {
  const { build } = store;
  const timeOf = (key: string): number =>
    store.get(build.selectFrom('known_address').select('time').where('key', '=', key).compile())?.time ??
    -Infinity;
  return {
    has: (key) => clock.now() - timeOf(key) < knownFor,
    async add(key) {
      const now = clock.now();
      if (now - timeOf(key) < knownGrain) return;
      await store
        .write((tx) => {
          tx.run(
            build
              .insertInto('known_address')
              .values({ key, time: now })
              .onConflict((row) => row.column('key').doUpdateSet({ time: now }))
              .compile(),
          );
          tx.run(
            build
              .deleteFrom('known_address')
              .where('time', '<', now - knownFor)
              .compile(),
          );
        })
        .catch(() => undefined);
    },
  };
}
