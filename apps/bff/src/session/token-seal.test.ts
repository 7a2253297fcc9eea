import { testClock } from '@gatehouse/service-kit/clock';
import { keyRingFromFile, SealBroken } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMoves } from '#moves/rows/moves.ts';
import { openSqlite } from '#store/sqlite.ts';
import { renewSeals, tokenSeal } from './token-seal.ts';

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

test("renews a column's tokens after a rotation, and keeps what it can't decrypt", async () => {
  const database = openSqlite(folder.file('console.db'));
  const moves = createMoves(database, testClock());
  const at = ({ id }: { readonly id: string }) => ({ ...place, sessionId: id });
  const made = {
    environment: 'e',
    kind: 'boxes',
    personId: 'p',
    personName: 'p',
    address: '',
    wanted: [],
  } as const;
  const rows = [await moves.create(made), await moves.create(made), await moves.create(made)] as const;
  const [own, foreign, without] = rows;
  const before = sealFor('https://one').seal('token', at(own));
  for (const { id } of [own, foreign]) await moves.change(id, ['paused'], { sealed_token: before });
  keyRingFromFile(folder.file('keys.json')).rotate();
  const columns = { table: 'move', column: 'sealed_token', key: ['id'] } as const;
  await renewSeals(database, sealFor('https://one'), { ...columns, placeOf: at });
  const stored = async ({ id }: { readonly id: string }) => (await moves.find(id))?.sealed_token;
  const renewed = String(await stored(own));
  expect(renewed).not.toBe(before);
  expect(sealFor('https://one').open(renewed, at(own))).toBe('token');
  expect([await stored(foreign), await stored(without)]).toEqual([before, null]);
  await database.close();
});
