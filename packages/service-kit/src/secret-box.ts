import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from './error-code.ts';
import { newId } from './ids.ts';

/**
 * Key-encryption keys by ID. New records are sealed under the active key; the others only open older records.
 *
 * The scheme is envelope encryption as in NIST SP 800-57, with AES-256-GCM (SP 800-38D) for both layers.
 */
export interface KeyRing {
  readonly activeKeyId: string;
  /** IDs of all keys, oldest first. */
  readonly keyIds: readonly string[];
  /**
   * Encrypts `plaintext` under a fresh data key, which is wrapped by the active key.
   * @param aad binds the record, for example to its table and row; opening requires the same value
   */
  seal(plaintext: Uint8Array | string, aad: string): Buffer;
  /** Decrypts a record. @throws SealBroken if the record was changed, or its key or `aad` differs */
  open(sealed: Uint8Array, aad: string): Buffer;
  /** The same record with its data key wrapped by the active key; the content stays as it is. @throws SealBroken */
  rewrap(sealed: Uint8Array, aad: string): Buffer;
  /** Whether a record is still under an older key and needs `rewrap`. @throws SealBroken */
  needsRewrap(sealed: Uint8Array): boolean;
  /** Adds a key and makes it active; durable if the ring came from a file. @returns the ID of the key */
  rotate(): string;
  /** Removes a key that no record is sealed under any more. @throws Error for the active or an unknown key */
  retire(keyId: string): void;
  /** Overwrites the keys in memory. The ring can't open or seal anything afterwards. */
  wipe(): void;
}

/** A sealed record can't be opened: it is damaged, belongs elsewhere, or its key is unknown. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** A key ring can't be loaded. The message says what to do and contains no key. */
export class KeyRingRefused extends Error {
  override readonly name = 'KeyRingRefused';
}

/** A ring's JSON, in its file or in an environment variable. */
interface KeyRingText {
  readonly active: string;
  /** Key ID → 32 bytes in base64, oldest first. */
  readonly keys: Readonly<Record<string, string>>;
}

const format = 1;
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const wrappedBytes = ivBytes + keyBytes + tagBytes;

/**
 * Loads the ring from `file`, or creates it with one key on first use.
 * @throws KeyRingRefused when others can read the file, it is not a key ring, or it can be neither read nor created
 */
export function keyRingFromFile(file: string): KeyRing {
  let text: string;
  try {
    text = readPrivate(file) ?? createPrivate(file);
  } catch (error) {
    if (error instanceof KeyRingRefused) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'its folder is missing' : errorCode(error);
    throw new KeyRingRefused(`The key ring ${file} cannot be read or created: ${why}.`, { cause: error });
  }
  return keyRing(parseRing(text, file), (changed) => replacePrivate(file, changed));
}

/**
 * Loads the ring from an environment variable's value: a ring's JSON, or one key of 32 bytes in base64. A rotation is
 * lost when the process ends, unless the variable is changed.
 * @param name the variable, for error messages
 */
export function keyRingFromEnvironment(name: string, value: string): KeyRing {
  const single = Buffer.from(value, 'base64');
  if (!value.trimStart().startsWith('{') && single.length === keyBytes) {
    return keyRing({ active: 'k_environment', keys: new Map([['k_environment', single]]) }, () => undefined);
  }
  return keyRing(parseRing(value, name), () => undefined);
}

/** A ring of one given key. A rotation is lost when the process ends. */
export function keyRingOfOne(keyId: string, key: Buffer): KeyRing {
  return keyRing({ active: keyId, keys: new Map([[keyId, key]]) }, () => undefined);
}

interface Keys {
  active: string;
  readonly keys: Map<string, Buffer>;
}

function keyRing(ring: Keys, persist: (text: string) => void): KeyRing {
  const activeKey = (): Buffer => {
    const key = ring.keys.get(ring.active);
    if (key === undefined) throw new KeyRingRefused('the active key is missing from the ring');
    return key;
  };
  const keyOf = (id: string): Buffer => {
    const key = ring.keys.get(id);
    if (key === undefined) throw new SealBroken(`sealed under a key that is not in the ring: ${id}`);
    return key;
  };
  const header = (): Buffer =>
    Buffer.concat([Buffer.from([format, ring.active.length]), Buffer.from(ring.active, 'latin1')]);
  /** Binds the wrapped data key to the record as well, so that headers can't be swapped between records. */
  const wrapAad = (keyId: string, aad: string): string => `${keyId}\0${aad}`;

  return {
    get activeKeyId() {
      return ring.active;
    },
    get keyIds() {
      return [...ring.keys.keys()];
    },
    seal(plaintext, aad) {
      const dataKey = randomBytes(keyBytes);
      const wrapped = sealUnder(activeKey(), dataKey, wrapAad(ring.active, aad));
      const content = sealUnder(dataKey, plaintext, aad);
      return Buffer.concat([header(), wrapped, content]);
    },
    open(sealed, aad) {
      const { keyId, wrapped, content } = split(sealed);
      return openUnder(openUnder(keyOf(keyId), wrapped, wrapAad(keyId, aad)), content, aad);
    },
    rewrap(sealed, aad) {
      const { keyId, wrapped, content } = split(sealed);
      const dataKey = openUnder(keyOf(keyId), wrapped, wrapAad(keyId, aad));
      return Buffer.concat([header(), sealUnder(activeKey(), dataKey, wrapAad(ring.active, aad)), content]);
    },
    needsRewrap: (sealed) => split(sealed).keyId !== ring.active,
    rotate() {
      const id = newId('k');
      const keys = new Map([...ring.keys, [id, randomBytes(keyBytes)]]);
      persist(formatRing({ active: id, keys }));
      ring.keys.set(id, keys.get(id) ?? randomBytes(keyBytes));
      ring.active = id;
      return id;
    },
    retire(keyId) {
      if (keyId === ring.active || !ring.keys.has(keyId)) throw new Error(`cannot retire key ${keyId}`);
      const keys = new Map(ring.keys);
      keys.delete(keyId);
      persist(formatRing({ active: ring.active, keys }));
      ring.keys.delete(keyId);
    },
    wipe() {
      for (const key of ring.keys.values()) key.fill(0);
      ring.keys.clear();
    },
  };
}

/** ID of the key that a record is sealed under. @throws SealBroken for other data */
export function sealedUnder(sealed: Uint8Array): string {
  return split(sealed).keyId;
}

/**
 * Splits a sealed record: format, length of the key ID, key ID, wrapped data key, encrypted content.
 * @throws SealBroken for other data
 */
function split(sealed: Uint8Array): {
  readonly keyId: string;
  readonly wrapped: Uint8Array;
  readonly content: Uint8Array;
} {
  const idLength = sealed[1] ?? 0;
  const wrappedAt = 2 + idLength;
  const contentAt = wrappedAt + wrappedBytes;
  if (sealed[0] !== format || sealed.length < contentAt + ivBytes + tagBytes)
    throw new SealBroken('not a sealed record');
  return {
    keyId: Buffer.from(sealed.subarray(2, wrappedAt)).toString('latin1'),
    wrapped: sealed.subarray(wrappedAt, contentAt),
    content: sealed.subarray(contentAt),
  };
}

/**
 * Encrypts under the caller's key with AES-256-GCM: initialization vector, content, tag.
 * @param aad binds the record; opening requires the same value
 */
export function sealUnder(key: Uint8Array, plaintext: Uint8Array | string, aad: string): Buffer {
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(aad, 'utf8'));
  const content = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  return Buffer.concat([iv, content, cipher.final(), cipher.getAuthTag()]);
}

/** Unused random bytes for initialization vectors. Requesting many at once from the system is much cheaper. */
let fresh = Buffer.alloc(0);
const ivsAtOnce = 256;

function nextIv(): Buffer {
  if (fresh.length === 0) fresh = randomBytes(ivBytes * ivsAtOnce);
  const iv = fresh.subarray(0, ivBytes);
  fresh = fresh.subarray(ivBytes);
  return iv;
}

/** Decrypts a record of `sealUnder`. @throws SealBroken if the record was changed, or its key or `aad` differs */
export function openUnder(key: Uint8Array, blob: Uint8Array, aad: string): Buffer {
  if (blob.length < ivBytes + tagBytes) throw new SealBroken('not a sealed record');
  const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(aad, 'utf8'));
  decipher.setAuthTag(blob.subarray(blob.length - tagBytes));
  try {
    const content = decipher.update(blob.subarray(ivBytes, blob.length - tagBytes));
    // GCM has already returned all content; this only checks the tag.
    decipher.final();
    return content;
  } catch (cause) {
    throw new SealBroken('the record was changed, or belongs elsewhere', { cause });
  }
}

function formatRing(ring: { readonly active: string; readonly keys: ReadonlyMap<string, Buffer> }): string {
  const keys = Object.fromEntries([...ring.keys].map(([id, key]) => [id, key.toString('base64')]));
  const text: KeyRingText = { active: ring.active, keys };
  return `${JSON.stringify(text, undefined, 2)}\n`;
}

function parseRing(text: string, source: string): Keys {
  const refuse = (why: string): never => {
    throw new KeyRingRefused(
      `${source} is not a key ring: ${why}. Restore it from a backup; without it, the data that it encrypted is lost.`,
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || !('active' in value) || !('keys' in value))
    return refuse('"active" or "keys" is missing');
  const { active, keys: listed } = value;
  if (typeof active !== 'string' || typeof listed !== 'object' || listed === null)
    return refuse('"active" or "keys" has the wrong type');
  const keys = new Map<string, Buffer>();
  for (const [id, encoded] of Object.entries(listed)) {
    const key = typeof encoded === 'string' ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
    if (!/^[\w-]{1,64}$/.test(id) || key.length !== keyBytes)
      return refuse(`a key is not ${keyBytes} bytes in base64`);
    keys.set(id, key);
  }
  if (!keys.has(active)) return refuse('the active key is not among the keys');
  return { active, keys };
}

function readPrivate(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // Checks the open file, so that it can't be replaced between the check and the read.
    const mode = fstatSync(descriptor).mode & 0o777;
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new KeyRingRefused(
        `${file} is readable by others (mode ${mode.toString(8)}). Run: chmod 600 ${file}`,
      );
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Creates the file with one key, or reads the file if another process created it first. */
function createPrivate(file: string): string {
  const id = newId('k');
  const text = formatRing({ active: id, keys: new Map([[id, randomBytes(keyBytes)]]) });
  const draft = writeDraft(file, text);
  try {
    // Unlike a rename, a link doesn't replace a ring that another process created in the meantime.
    linkSync(draft, file);
    syncFolder(dirname(file));
    return text;
  } catch (error) {
    const existing = readPrivate(file);
    if (existing === undefined) throw error;
    return existing;
  } finally {
    unlinkSync(draft);
  }
}

function replacePrivate(file: string, text: string): void {
  renameSync(writeDraft(file, text), file);
  syncFolder(dirname(file));
}

function writeDraft(file: string, text: string): string {
  const draft = `${file}.${newId('draft')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
