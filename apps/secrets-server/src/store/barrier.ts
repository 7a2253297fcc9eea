import { randomBytes } from 'node:crypto';
import {
  KeyRingRefused,
  SealBroken,
  keyRingOfOne,
  openUnder,
  sealUnder,
  sealedUnder,
} from '@gatehouse/service-kit/secret-box';
import type { KeyRing } from '@gatehouse/service-kit/secret-box';
import { sealedRefusal } from '../core/refusal.ts';
import type { SecretsStore } from './database.ts';
import { keyedHash } from './keyed-hash.ts';
import type { KeyedHash } from './keyed-hash.ts';

export interface BarrierTerm {
  readonly term: number;
  /** In milliseconds since the epoch. */
  readonly since: number;
}

/**
 * Encrypts the store's records with AES-256-GCM under data keys, which are sealed under the root key. The keys are in
 * memory only while the server is unsealed.
 */
export interface Barrier {
  readonly sealed: boolean;
  /** The data key that encrypts new records. */
  readonly current: BarrierTerm;
  /**
   * Encrypts a record.
   * @param place binds the ciphertext to its place, such as `kv/7/3`, which `open` requires too
   * @throws Refusal 503
   */
  seal(plaintext: string | Uint8Array, place: string): Buffer;
  /** Decrypts a record. @throws Refusal 503; SealBroken if the record was changed or sealed for another place */
  open(record: Uint8Array, place: string): Buffer;
  /** A keyed hash in base64url, for finding a secret text such as a token without storing it. @throws Refusal 503 */
  hash(purpose: string, text: string): string;
  /** Creates a data key and uses it for new records. @throws Refusal 503, StoreUnavailable */
  rotate(now: number): Promise<BarrierTerm>;
  lock(): void;
  /**
   * Decrypts the keys into memory.
   * @param rootKey the 32 bytes of the root key in base64 or hex
   * @returns false if the root key is wrong
   */
  unlock(rootKey: string): boolean;
  /** Whether a key is the root key, in base64 or hex; works while sealed too. */
  isRootKey(rootKey: string): boolean;
  /**
   * Sets the only listener for sealed plaintexts, which replication sends without decrypting them; undefined removes
   * it.
   */
  onSeal(listener: ((plaintext: string | Uint8Array, place: string) => void) | undefined): void;
  /** Adds a listener for the wiping of keys, for caches of decrypted data. */
  onLock(listener: () => void): void;
  /** Adds a listener for unsealing. */
  onUnlock(listener: () => void): void;
}

const keyBytes = 32;
const hashTerm = 0;
const termBytes = 4;

interface OpenKeys {
  readonly root: KeyRing;
  readonly terms: Map<number, Buffer>;
  readonly hash: KeyedHash;
}

/**
 * Opens the barrier and creates its keys at the first start.
 * @throws KeyRingRefused if the store was written under another root key
 */
export async function openBarrier(store: SecretsStore, root: KeyRing, now: number): Promise<Barrier> {
  const { build } = store;
  await store.write((tx) => {
    const known = tx.all(build.selectFrom('barrier_key').selectAll().compile());
    for (const { term, sealed } of known) {
      if (!root.keyIds.includes(sealedUnder(sealed)) || !root.needsRewrap(sealed)) continue;
      const moved = root.rewrap(sealed, placeOfKey(term));
      tx.run(build.updateTable('barrier_key').set({ sealed: moved }).where('term', '=', term).compile());
    }
    if (known.length > 0) return;
    for (const term of [hashTerm, 1]) {
      const sealed = root.seal(randomBytes(keyBytes), placeOfKey(term));
      tx.run(build.insertInto('barrier_key').values({ term, sealed, created_time: now }).compile());
    }
  });

  const rows = () => store.all(build.selectFrom('barrier_key').selectAll().orderBy('term').compile());
  const take = (ring: KeyRing): OpenKeys => {
    const terms = new Map(rows().map(({ term, sealed }) => [term, ring.open(sealed, placeOfKey(term))]));
    const hash = terms.get(hashTerm);
    if (hash === undefined) throw new SealBroken('the key of hashes is missing');
    terms.delete(hashTerm);
    const keyed = keyedHash(hash);
    hash.fill(0);
    return { root: ring, terms, hash: keyed };
  };

  let keys: OpenKeys | undefined;
  try {
    keys = take(root);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new KeyRingRefused(
      `secrets-server.db was written under another key ring (${error.message}). Restore the ring that belongs to it; without it, the secrets are lost.`,
      { cause: error },
    );
  }
  const lastRow = rows().at(-1);
  let current: BarrierTerm = { term: lastRow?.term ?? 1, since: lastRow?.created_time ?? now };
  const listeners = new Set<() => void>();
  const unlockListeners = new Set<() => void>();
  let sealListener: Parameters<Barrier['onSeal']>[0];
  const unlocked = (): OpenKeys => {
    if (keys === undefined) throw sealedRefusal();
    return keys;
  };

  return {
    get sealed() {
      return keys === undefined;
    },
    get current() {
      return current;
    },
    seal(plaintext, place) {
      const key = unlocked().terms.get(current.term);
      if (key === undefined) throw new SealBroken('the current key is missing');
      const header = Buffer.allocUnsafe(termBytes);
      header.writeUInt32BE(current.term);
      sealListener?.(plaintext, place);
      return Buffer.concat([header, sealUnder(key, plaintext, place)]);
    },
    open(record, place) {
      const term = new DataView(record.buffer, record.byteOffset).getUint32(0);
      const key = unlocked().terms.get(term);
      if (key === undefined) throw new SealBroken(`sealed under an unknown term: ${term}`);
      return openUnder(key, record.subarray(termBytes), place);
    },
    hash: (purpose, text) => unlocked().hash.of(`${purpose}\0${text}`),
    async rotate(now) {
      unlocked();
      const key = randomBytes(keyBytes);
      const term = await store.write((tx) => {
        const next = Math.max(...rows().map((row) => row.term)) + 1;
        // The server may have been sealed, and unsealed again, since then.
        const sealed = unlocked().root.seal(key, placeOfKey(next));
        tx.run(build.insertInto('barrier_key').values({ term: next, sealed, created_time: now }).compile());
        return next;
      });
      if (keys === undefined) key.fill(0);
      else keys.terms.set(term, key);
      if (term > current.term) current = { term, since: now };
      return current;
    },
    lock() {
      if (keys === undefined) return;
      for (const key of keys.terms.values()) key.fill(0);
      keys.terms.clear();
      keys.hash.wipe();
      keys.root.wipe();
      keys = undefined;
      for (const listener of listeners) listener();
    },
    unlock(text) {
      const sample = rows()[0];
      const key = keyFromText(text);
      if (sample === undefined || key === undefined) return false;
      if (keys !== undefined) return true;
      try {
        keys = take(keyRingOfOne(sealedUnder(sample.sealed), key));
      } catch (error) {
        if (error instanceof SealBroken) return false;
        throw error;
      }
      for (const listener of unlockListeners) listener();
      return true;
    },
    isRootKey(text) {
      const sample = rows()[0];
      const key = keyFromText(text);
      if (sample === undefined || key === undefined) return false;
      try {
        keyRingOfOne(sealedUnder(sample.sealed), key).open(sample.sealed, placeOfKey(sample.term));
        return true;
      } catch (error) {
        if (error instanceof SealBroken) return false;
        throw error;
      }
    },
    onSeal(listener) {
      sealListener = listener;
    },
    onLock(listener) {
      listeners.add(listener);
    },
    onUnlock(listener) {
      unlockListeners.add(listener);
    },
  };
}

function placeOfKey(term: number): string {
  return `barrier_key/${term}`;
}

function keyFromText(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
