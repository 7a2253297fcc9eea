import { createHmac, randomBytes } from 'node:crypto';
import { isJsonObject, parseExactJson } from '@gatehouse/service-kit/parse-json';
import { KeyRingRefused, SealBroken } from '@gatehouse/service-kit/secret-box';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import type { Store } from '@gatehouse/service-kit/store';
import type { SecretVault, Secrets } from '../domain/credential/credential.ts';
import type { Connection, ConnectionSecrets } from '../domain/vault-store/connection.ts';
import type { StoreToken } from '../domain/vault-store/token.ts';
import type { Schema } from './schema.ts';

/** Encrypts secrets, and has the other uses of the service's own key. */
export interface Vault extends SecretVault {
  /** Encrypts a store's connection with its secrets, for one token only. */
  sealConnection(tokenId: string, connection: SealedConnection): Uint8Array;
  openConnection(token: Pick<StoreToken, 'id' | 'sealed'>): SealedConnection;
  /** A keyed hash of text that only this service can compute, in base64url. */
  sign(text: string): string;
}

/** A connection to a store's secrets server, with its secrets. */
export interface SealedConnection {
  readonly connection: Connection;
  readonly secrets: ConnectionSecrets;
}

const signingKey = 'signing';

/**
 * Opens the vault. It encrypts secrets with `keys`, each bound to its row, and re-encrypts those of older keys with
 * the active one.
 * @throws KeyRingRefused if the store was written with another key ring
 */
export async function openVault(store: Store<Schema>, keys: KeyRing): Promise<Vault> {
  const key = await loadKey(store, keys);
  await moveToActiveKey(store, keys);
  const hash = (...parts: readonly string[]): string =>
    createHmac('sha256', key).update(parts.join('\0')).digest('base64url');
  const decrypt: Vault['decrypt'] = ({ id, sealed }) => {
    const text = keys.open(sealed, placeOfCredential(id)).toString('utf8');
    return () => parseExactJson(text) as Secrets;
  };
  return {
    seal: (credentialId, secrets) => keys.seal(JSON.stringify(secrets), placeOfCredential(credentialId)),
    open: (credential) => decrypt(credential)(),
    decrypt,
    sealConnection: (tokenId, connection) => keys.seal(JSON.stringify(connection), placeOfToken(tokenId)),
    openConnection: ({ id, sealed }) =>
      JSON.parse(keys.open(sealed, placeOfToken(id)).toString('utf8')) as SealedConnection,
    fingerprint: (ownerId, attribute, value) =>
      hash('credential', ownerId, attribute, typeof value === 'string' ? value : canonical(value)),
    sign: (text) => hash('text', text),
  };
}

function placeOfCredential(id: string): string {
  return `credential/${id}`;
}

function placeOfToken(id: string): string {
  return `vault_token/${id}`;
}

function placeOfKey(name: string): string {
  return `sealed_key/${name}`;
}

async function loadKey(store: Store<Schema>, keys: KeyRing): Promise<Buffer> {
  const { build } = store;
  const select = build.selectFrom('sealed_key').select('sealed').where('name', '=', signingKey).compile();
  const sealed = await store.write((tx) => {
    const known = tx.get(select)?.sealed;
    if (known !== undefined) return known;
    const fresh = keys.seal(randomBytes(32), placeOfKey(signingKey));
    tx.run(build.insertInto('sealed_key').values({ name: signingKey, sealed: fresh }).compile());
    return fresh;
  });
  try {
    return keys.open(sealed, placeOfKey(signingKey));
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new KeyRingRefused(
      `access-controller.db was written under another key ring (${error.message}). Restore the ring that belongs to it; without it, stored credentials are lost.`,
      { cause: error },
    );
  }
}

function moveToActiveKey(store: Store<Schema>, keys: KeyRing): Promise<void> {
  return store.write((tx) => {
    const { build } = tx;
    for (const { name, sealed } of tx.all(build.selectFrom('sealed_key').selectAll().compile())) {
      if (!keys.needsRewrap(sealed)) continue;
      const moved = keys.rewrap(sealed, placeOfKey(name));
      tx.run(build.updateTable('sealed_key').set({ sealed: moved }).where('name', '=', name).compile());
    }
    for (const { id, sealed } of tx.all(build.selectFrom('credential').select(['id', 'sealed']).compile())) {
      if (!keys.needsRewrap(sealed)) continue;
      const moved = keys.rewrap(sealed, placeOfCredential(id));
      tx.run(build.updateTable('credential').set({ sealed: moved }).where('id', '=', id).compile());
    }
    for (const { id, sealed } of tx.all(build.selectFrom('vault_token').select(['id', 'sealed']).compile())) {
      if (!keys.needsRewrap(sealed)) continue;
      const moved = keys.rewrap(sealed, placeOfToken(id));
      tx.run(build.updateTable('vault_token').set({ sealed: moved }).where('id', '=', id).compile());
    }
  });
}

/** JSON with its members in a fixed order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
