import { expect, test } from 'vitest';
import { subkeys } from './subkeys.ts';

const never = (): Promise<void> => Promise.reject(new Error('gave way'));

test('of a large secret are read with pauses, and of a small one without', async () => {
  const inner = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`n${n}`, 1]));
  const small = JSON.stringify({ inner });
  expect(await subkeys(small, 1, never)).toBe('{"inner":null}');
  expect(JSON.parse(await subkeys(small, 0, never))).toEqual({
    inner: Object.fromEntries(Object.keys(inner).map((name) => [name, null])),
  });
  let pauses = 0;
  const large = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, inner]));
  await subkeys(JSON.stringify(large), 0, async () => {
    pauses += 1;
    await Promise.resolve();
  });
  expect(pauses).toBeGreaterThan(30);
});

test('keep escapes and the order, and use the last member of a repeated name', async () => {
  const text = String.raw` { "\u0061" : {"x":[{"y":1}]} , "b":{ }, "a" : {"z":"}"} , "\"":1 } `;
  expect(await subkeys(text, 0, never)).toBe(String.raw`{"a":{"z":null},"b":null,"\"":null}`);
});
