import { deepEqual } from '@gatehouse/record-merge/equal';
import { list, map, record, scalar, set, text } from '@gatehouse/record-merge/policy';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partialUpdate } from './partial-update.ts';

const policy = record({
  name: scalar,
  note: text,
  tags: set,
  labels: map(scalar),
  rules: list('id', record({ id: scalar, value: scalar })),
  attributes: record({ port: scalar, nested: record({ deep: scalar, flat: scalar }) }),
});

const value = fc.constantFrom('', 'a', 'b');
const resource = fc.record({
  name: value,
  note: value,
  tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  labels: fc.dictionary(fc.constantFrom('k', 'l'), value),
  rules: fc.uniqueArray(fc.record({ id: fc.constantFrom('1', '2'), value }), { selector: (rule) => rule.id }),
  attributes: fc.record({
    port: fc.option(fc.nat(3)),
    nested: fc.record({ deep: value, flat: value }),
  }),
});

function apply(before: unknown, update: unknown, depth: number): unknown {
  const isRecord = (item: unknown): item is Record<string, unknown> =>
    typeof item === 'object' && item !== null && !Array.isArray(item);
  if (depth === 0 || !isRecord(before) || !isRecord(update)) return update;
  const after = { ...before };
  for (const [key, item] of Object.entries(update)) {
    // Containers of entries are sent whole.
    const isWhole = key === 'labels';
    after[key] = isWhole ? item : apply(before[key], item, depth - 1);
  }
  return after;
}

test('applying the update to the old record gives the new one', () => {
  fc.assert(
    fc.property(resource, resource, (before, after) => {
      const result = apply(before, partialUpdate(policy, before, after), 3);
      const ordered = (item: typeof after) => ({
        ...item,
        tags: item.tags.toSorted(),
        rules: item.rules.toSorted((a, b) => a.id.localeCompare(b.id)),
      });
      expect(deepEqual(ordered(result as typeof after), ordered(after))).toBe(true);
    }),
  );
});

test('contains only the changed fields', () => {
  const before = {
    name: 'a',
    note: '',
    tags: [],
    labels: {},
    rules: [],
    attributes: { port: 1, nested: { deep: 'a', flat: 'b' } },
  };
  const after = { ...before, attributes: { port: null, nested: { deep: 'z', flat: 'b' } } };
  expect(partialUpdate(policy, before, before)).toEqual({});
  expect(partialUpdate<object>(policy, before, after)).toEqual({
    attributes: { port: null, nested: { deep: 'z' } },
  });
});
