import { randomBytes } from 'node:crypto';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import type { RegistryStore } from './database.ts';

const name = 'archive-addresses';
const aad = `secret/${name}`;

/**
 * The key that archive addresses are signed with: random, made at the first start, sealed at rest.
 * @throws SealBroken when the store was written under another key ring
 */
export async function archiveAddressKey(store: RegistryStore, keys: KeyRing): Promise<Buffer> {
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
