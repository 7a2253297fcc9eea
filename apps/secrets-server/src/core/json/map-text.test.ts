import { expect, test } from 'vitest';
import { JsonText, jsonOf } from './json-text.ts';
import { mapText, mostListed } from './map-text.ts';

const atOnce = () => Promise.resolve();

test('writes what JSON.stringify writes, in slices if it is long', async () => {
  let ways = 0;
  const giveWay = async () => void (ways += 1);
  const small = { a: 1, 'b"': new JsonText('{"x": 1.0}'), c: null, d: { e: ['f'] } };
  expect((await mapText(Object.entries(small), giveWay, '')).text).toBe(jsonOf(small));
  expect((await mapText([], giveWay, '')).text).toBe('{}');
  expect(ways).toBe(0);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]));
  expect((await mapText(Object.entries(many), giveWay, '')).text).toBe(JSON.stringify(many));
  expect(ways).toBe(10);
  await mapText([['long', 'x'.repeat(2 ** 20)]], giveWay, '');
  expect(ways).toBe(11);
});

test('refuses a map that is too long, without making the rest of it', async () => {
  let made = 0;
  const endless = function* () {
    for (;;) yield [String((made += 1)), 'x'.repeat(2 ** 20)] as const;
  };
  await expect(mapText(endless(), atOnce, 'do something')).rejects.toMatchObject({
    status: 400,
    message: 'this list is too long for one response: do something',
  });
  expect(made).toBe(mostListed / 2 ** 20);
  await expect(mapText([['a', 'b']], atOnce, '', 4)).rejects.toMatchObject({ status: 400 });
});
