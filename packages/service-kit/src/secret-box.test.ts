import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  KeyRingRefused,
  SealBroken,
  keyRingFromEnvironment,
  keyRingFromFile,
  keyRingOfOne,
  openUnder,
  sealUnder,
  sealedUnder,
} from './secret-box.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ring = keyRingFromEnvironment('KEYS', Buffer.alloc(32, 7).toString('base64'));

test('opens a sealed record only under the same binding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (plaintext, aad, otherAad) => {
      const sealed = ring.seal(plaintext, aad);
      expect(ring.open(sealed, aad)).toEqual(Buffer.from(plaintext));
      if (aad !== otherAad) expect(() => ring.open(sealed, otherAad)).toThrow(SealBroken);
    }),
  );
});

test('rejects a record with a changed, missing or added byte', () => {
  const sealed = ring.seal('the secret', 'table/row');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => ring.open(changed, 'table/row')).toThrow(SealBroken);
    expect(() => ring.open(sealed.subarray(0, at), 'table/row')).toThrow(SealBroken);
  }
  expect(() => ring.open(Buffer.concat([sealed, Buffer.from([0])]), 'table/row')).toThrow(SealBroken);
});

test('seals the same text differently each time, and not readably', () => {
  const one = ring.seal('canary-1234', 'x');
  const two = ring.seal('canary-1234', 'x');
  expect(one.equals(two)).toBe(false);
  expect(one.includes('canary')).toBe(false);
});

test('creates a key file of mode 0600 on first use and reads it later', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const sealed = keyRingFromFile(file).seal('text', 'a');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keyRingFromFile(file).open(sealed, 'a').toString()).toBe('text');
  expect(readdirSync(folder.path)).toEqual(['keys.json']);
});

test('refuses a key file that is damaged or that others can read', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  keyRingFromFile(file);
  chmodSync(file, 0o640);
  expect(() => keyRingFromFile(file)).toThrow(/chmod 600/);
  chmodSync(file, 0o600);
  for (const text of ['', '{}', '{"active":"k","keys":{}}', '{"active":"k","keys":{"k":"c2hvcnQ="}}']) {
    writeFileSync(file, text);
    expect(() => keyRingFromFile(file)).toThrow(KeyRingRefused);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('refuses a key file that can be neither read nor created, and names its path', () => {
  using folder = temporaryFolder();
  expect(() => keyRingFromFile(folder.file('missing/keys.json'))).toThrow(
    new KeyRingRefused(
      `The key ring ${folder.file('missing/keys.json')} cannot be read or created: its folder is missing.`,
    ),
  );
  expect(() => keyRingFromFile(folder.path)).toThrow(/^The key ring .* cannot be read or created: EISDIR\.$/);
});

test('opens old records after rotation, and forgets the old key once they are rewrapped', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const keys = keyRingFromFile(file);
  const first = keys.activeKeyId;
  const sealed = keys.seal('text', 'a');
  const second = keys.rotate();
  expect(keys.needsRewrap(sealed)).toBe(true);
  expect(keys.open(sealed, 'a').toString()).toBe('text');
  const moved = keys.rewrap(sealed, 'a');
  expect(keys.needsRewrap(moved)).toBe(false);
  expect(() => keys.rewrap(sealed, 'b')).toThrow(SealBroken);
  expect(() => keys.retire(second)).toThrow('cannot retire');
  keys.retire(first);
  const reopened = keyRingFromFile(file);
  expect(reopened.keyIds).toEqual([second]);
  expect(reopened.open(moved, 'a').toString()).toBe('text');
  expect(() => reopened.open(sealed, 'a')).toThrow(SealBroken);
});

test('reads a key ring from a variable, also as JSON', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const sealed = keyRingFromFile(file).seal('text', 'a');
  expect(keyRingFromEnvironment('KEYS', readFileSync(file, 'utf8')).open(sealed, 'a').toString()).toBe(
    'text',
  );
  expect(() => keyRingFromEnvironment('KEYS', 'short')).toThrow(/^KEYS is not a key ring/);
});

test('opens records with a ring of one key until the ring is wiped', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const ring = keyRingFromFile(file);
  const sealed = ring.seal('value', 'place');
  expect(sealedUnder(sealed)).toBe(ring.activeKeyId);
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: Record<string, string> };
  const key = Buffer.from(keys[ring.activeKeyId] ?? '', 'base64');
  const other = keyRingOfOne(sealedUnder(sealed), key);
  expect(other.open(sealed, 'place').toString()).toBe('value');
  other.wipe();
  expect(key.every((byte) => byte === 0)).toBe(true);
  expect(() => other.open(sealed, 'place')).toThrow(SealBroken);
  expect(() => other.seal('value', 'place')).toThrow(KeyRingRefused);
  expect(ring.open(sealed, 'place').toString()).toBe('value');
});

test('binds records sealed under a bare key to their place and the key', () => {
  const key = Buffer.alloc(32, 7);
  const sealed = sealUnder(key, 'value', 'place');
  expect(openUnder(key, sealed, 'place').toString()).toBe('value');
  expect(() => openUnder(key, sealed, 'elsewhere')).toThrow(SealBroken);
  expect(() => openUnder(Buffer.alloc(32, 8), sealed, 'place')).toThrow(SealBroken);
  expect(() => openUnder(key, sealed.subarray(0, 20), 'place')).toThrow(SealBroken);
});
