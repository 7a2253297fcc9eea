import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepEqual, sameValue } from './equal.ts';
import { list, map, record, scalar, set } from './policy.ts';

const json = fc.anything({
  key: fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString'),
  withBigInt: true,
  withNullPrototype: true,
  values: [fc.constantFrom(null, true, 0, 1, '', 'a', 1n)],
});

test('equates a value with its copy, and two values exactly when their texts are equal', () => {
  // Sorts keys, and writes a bigint as a text that no other value has.
  const written = (value: unknown): string =>
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === 'bigint') return `bigint ${part}`;
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    });
  const holds = fc.property(json, json, (a, b) => {
    expect(deepEqual(a, structuredClone(a))).toBe(true);
    expect(deepEqual(a, b)).toBe(written(a) === written(b));
    expect(deepEqual(b, a)).toBe(deepEqual(a, b));
  });
  fc.assert(holds, { numRuns: 2_000 });
});

test('treats undefined as absent, NaN as itself, a bigint as no number, and an instance as equal only to itself', () => {
  expect(deepEqual({ a: undefined }, {})).toBe(true);
  expect(deepEqual({ a: undefined }, { b: 1 })).toBe(false);
  expect(deepEqual([Number.NaN], [Number.NaN])).toBe(true);
  expect(deepEqual(1, 1n)).toBe(false);
  expect(deepEqual([], {})).toBe(false);
  expect(deepEqual(new Date(0), new Date(0))).toBe(false);
});

test('ignores order where the policy does', () => {
  expect(sameValue(set, ['a', 'b'], ['b', 'a'])).toBe(true);
  expect(sameValue(set, ['a', 'b'], ['a', 'c'])).toBe(false);
  expect(sameValue(set, [1, 2], [2, 1])).toBe(false);
  expect(sameValue(scalar, ['a', 'b'], ['b', 'a'])).toBe(false);
  expect(sameValue(map(set), { k: ['a', 'b'] }, { k: ['b', 'a'] })).toBe(true);
  const rules = list('id', record({ ports: set }));
  expect(
    sameValue(rules, [{ id: 1, ports: ['a', 'b'] }, { id: 2 }], [{ id: 2 }, { id: 1, ports: ['b', 'a'] }]),
  ).toBe(true);
  expect(sameValue(rules, [{ id: 1 }], [{ id: 1 }, { id: 2 }])).toBe(false);
});
