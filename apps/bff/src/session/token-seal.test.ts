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

test('a token opens in its place and for its destination alone', () => {
  const sealed = sealFor('https://one').seal('token', place);
  expect(sealFor('https://one').open(sealed, place)).toBe('token');
  for (const other of ['https://two', '', undefined])
    expect(() => sealFor(other).open(sealed, place)).toThrow(SealBroken);
  expect(() => sealFor('https://one').open(sealed, { ...place, sessionId: 't' })).toThrow(SealBroken);
  // Nor without its mark, or with one that it never had.
  expect(() => sealFor('https://one').open(sealed.slice(3), place)).toThrow(SealBroken);
  const own = sealFor(undefined).seal('ticket', place);
  expect(() => sealFor('https://one').open(`to:${own}`, place)).toThrow(SealBroken);
});

test('a key that is rotated changes nothing about that', () => {
  const sealed = sealFor('https://one').seal('token', place);
  keyRingFromFile(folder.file('keys.json')).rotate();
  const renewed = sealFor('https://one').renew(sealed, place) ?? '';
  expect(renewed).not.toBe(sealed);
  expect(sealFor('https://one').open(renewed, place)).toBe('token');
  expect(sealFor('https://one').renew(renewed, place)).toBeUndefined();
  expect(() => sealFor('https://two').open(renewed, place)).toThrow(SealBroken);
  expect(() => sealFor('https://two').renew(sealed, place)).toThrow(SealBroken);
});

test('what an earlier release sealed is read, and bound to where the service is now', () => {
  const before = sealFor(undefined).seal('token', place);
  expect(sealFor('https://one').open(before, place)).toBe('token');
  const bound = sealFor('https://one').renew(before, place) ?? '';
  expect(sealFor('https://one').open(bound, place)).toBe('token');
  expect(() => sealFor('https://two').open(bound, place)).toThrow(SealBroken);
});
