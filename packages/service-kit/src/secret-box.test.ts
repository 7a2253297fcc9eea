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

test('what was sealed opens under the same binding alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string(), (plaintext, aad, otherAad) => {
      const sealed = ring.seal(plaintext, aad);
      expect(ring.open(sealed, aad)).toEqual(Buffer.from(plaintext));
      if (aad !== otherAad) expect(() => ring.open(sealed, otherAad)).toThrow(SealBroken);
    }),
  );
});

test('a changed, cut or lengthened byte anywhere is noticed', () => {
  const sealed = ring.seal('the secret', 'table/row');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => ring.open(changed, 'table/row')).toThrow(SealBroken);
    expect(() => ring.open(sealed.subarray(0, at), 'table/row')).toThrow(SealBroken);
  }
  expect(() => ring.open(Buffer.concat([sealed, Buffer.from([0])]), 'table/row')).toThrow(SealBroken);
});

test('the same text is never sealed the same way, and is not readable', () => {
  const one = ring.seal('canary-1234', 'x');
  const two = ring.seal('canary-1234', 'x');
  expect(one.equals(two)).toBe(false);
  expect(one.includes('canary')).toBe(false);
});

test('a file of mode 0600 is made on first use and read from then on', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const sealed = keyRingFromFile(file).seal('text', 'a');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keyRingFromFile(file).open(sealed, 'a').toString()).toBe('text');
  expect(readdirSync(folder.path)).toEqual(['keys.json']);
});

test('a file that others may read is refused, and so is a damaged one', () => {
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

test('a file that can be neither read nor created is refused with its path', () => {
  using folder = temporaryFolder();
  expect(() => keyRingFromFile(folder.file('missing/keys.json'))).toThrow(
    new KeyRingRefused(
      `The key ring ${folder.file('missing/keys.json')} cannot be read or created: its folder is missing.`,
    ),
  );
  expect(() => keyRingFromFile(folder.path)).toThrow(/^The key ring .* cannot be read or created: EISDIR\.$/);
});

test('rotation: old records open, rewrapping moves them, then the old key may go', () => {
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

test('a ring may come from a variable, as JSON too', () => {
  using folder = temporaryFolder();
  const file = folder.file('keys.json');
  const sealed = keyRingFromFile(file).seal('text', 'a');
  expect(keyRingFromEnvironment('KEYS', readFileSync(file, 'utf8')).open(sealed, 'a').toString()).toBe(
    'text',
  );
  expect(() => keyRingFromEnvironment('KEYS', 'short')).toThrow(/^KEYS is not a key ring/);
});

test('a ring of one key that was handed over opens what that key sealed, and nothing once it is wiped', () => {
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

test('what is sealed under a bare key is bound to its place and its key', () => {
  const key = Buffer.alloc(32, 7);
  const sealed = sealUnder(key, 'value', 'place');
  expect(openUnder(key, sealed, 'place').toString()).toBe('value');
  expect(() => openUnder(key, sealed, 'elsewhere')).toThrow(SealBroken);
  expect(() => openUnder(Buffer.alloc(32, 8), sealed, 'place')).toThrow(SealBroken);
  expect(() => openUnder(key, sealed.subarray(0, 20), 'place')).toThrow(SealBroken);
});
