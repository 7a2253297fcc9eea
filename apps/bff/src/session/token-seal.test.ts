import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingFromFile, SealBroken } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenSeal } from './token-seal.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder[Symbol.dispose]());

const place = { sessionId: 's', environment: 'e', service: 'access' };
const sealFor = (destination: string | undefined) =>
  tokenSeal(
    () => keyRingFromFile(folder.file('keys.json')),
    testClock(),
    () => destination,
  );

test('decrypts a token only in its place and for its destination', () => {
  const sealed = sealFor('https://one').seal('token', place);
  expect(sealFor('https://one').open(sealed, place)).toBe('token');
  for (const other of ['https://two', '', undefined])
    expect(() => sealFor(other).open(sealed, place)).toThrow(SealBroken);
  expect(() => sealFor('https://one').open(sealed, { ...place, sessionId: 't' })).toThrow(SealBroken);
});

test('decrypts a token after a rotation, only in its place and for its destination', () => {
  const sealed = sealFor('https://one').seal('token', place);
  keyRingFromFile(folder.file('keys.json')).rotate();
  const renewed = sealFor('https://one').renew(sealed, place) ?? '';
  expect(renewed).not.toBe(sealed);
  expect(sealFor('https://one').open(renewed, place)).toBe('token');
  expect(sealFor('https://one').renew(renewed, place)).toBeUndefined();
  expect(() => sealFor('https://two').open(renewed, place)).toThrow(SealBroken);
  expect(() => sealFor('https://two').renew(sealed, place)).toThrow(SealBroken);
});
