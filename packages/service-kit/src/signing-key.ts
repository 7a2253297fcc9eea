import { randomBytes } from 'node:crypto';
import type { KeyRing } from './secret-box.ts';
import type { Store } from './store.ts';

/** A service's `secret` table. */
export interface SecretTable {
  name: string;
  /** Sealed. */
  value: Uint8Array;
}

/**
 * A signing key: 32 random bytes, created on first use and sealed at rest.
 * @throws SealBroken when the store was written under another key ring; StoreUnavailable
 */
export async function signingKey(
  store: Store<{ secret: SecretTable }>,
  keys: KeyRing,
  name: string,
): Promise<Buffer> {
  const aad = `secret/${name}`;
  const row = store.get(store.build.selectFrom('secret').selectAll().where('name', '=', name).compile());
  if (row !== undefined) return keys.open(row.value, aad);
  const key = randomBytes(32);
  await store.write((tx) =>
    tx.run(
      tx.build
        .insertInto('secret')
        .values({ name, value: keys.seal(key, aad) })
        .compile(),
    ),
  );
  return key;
}
