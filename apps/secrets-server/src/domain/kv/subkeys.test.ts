import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinedBy, models, nameOf, print } from '../../testing/json-model.ts';
import type { Model } from '../../testing/json-model.ts';
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

test('copy the names of a large, deep secret once', async () => {
  const names = JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [n, 1])));
  const text = `${'{"a":'.repeat(505)}${names}${',"b":1}'.repeat(505)}`;
  const joined = await joinedBy(async () => {
    expect(await subkeys(text, 0, () => Promise.resolve())).toBe(text.replaceAll(':1', ':null'));
  });
  expect(joined).toBeLessThan(4 * text.length);
});

/** Written plainly. */
function reference(model: Model, levels: number): Model {
  if (typeof model === 'string' || model.length === 0 || levels === 0) return 'null';
  const last = new Map(model.map((member) => [nameOf(member[0]), member]));
  return [...last.values()].map(([literal, value]) => [literal, reference(value, levels - 1)]);
}

test('keep the text of names as a plain implementation does', async () => {
  await fc.assert(
    fc.asyncProperty(
      models.filter(({ length }) => length > 0),
      fc.nat(5),
      fc.constantFrom('', ' \n'),
      async (model, depth, space) => {
        const read = await subkeys(print(model, space), depth, never);
        expect(read).toBe(print(reference(model, depth === 0 ? Infinity : depth)));
      },
    ),
  );
  expect(await subkeys('{}', 0, never)).toBe('{}');
});
