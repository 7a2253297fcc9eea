import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryEdits } from '../test/arbitrary-edits.ts';
import { absent } from './absent.ts';
import { changedFields, diffRecords, diffSets } from './diff.ts';
import { sameValue } from './equal.ts';
import { map, record, scalar, set } from './policy.ts';

const policy = record({ name: scalar, tags: set, labels: map(scalar) });

test('lists each changed field and each entry added or deleted', () => {
  const before = { name: 'a', tags: ['x', 'y'], labels: { kept: 1, gone: 2 } };
  const after = { name: 'b', tags: ['y', 'x'], labels: { kept: 1, new: 3 } };
  expect(diffRecords<object>(policy, before, after)).toEqual([
    { path: ['name'], side: 'mine', before: 'a', after: 'b', kind: 'scalar' },
    { path: ['labels', 'gone'], side: 'mine', before: 2, after: absent, kind: 'scalar' },
    { path: ['labels', 'new'], side: 'mine', before: absent, after: 3, kind: 'scalar' },
  ]);
  expect(changedFields(policy, before, after)).toEqual(['name', 'labels']);
});

test('turns one record into the other with the changed fields', () => {
  const holds = fc.property(arbitraryEdits(50, 2), ({ policy: drawn, base, mine }) => {
    const changed = new Set(changedFields(drawn, base, mine));
    const kept = Object.entries(base).filter(([field]) => !changed.has(field));
    const sent = Object.entries(mine).filter(([field]) => changed.has(field));
    expect(sameValue(drawn, Object.fromEntries([...kept, ...sent]), mine)).toBe(true);
    for (const field of changed) {
      const [was, is] = [base, mine].map((side) =>
        Object.fromEntries(Object.entries(side).filter(([key]) => key === field)),
      );
      expect(sameValue(drawn, was, is)).toBe(false);
    }
  });
  fc.assert(holds, { numRuns: 2_000 });
});

test('lists the members added to a set and removed from it', () => {
  expect(diffSets(['a', 'b'], ['c', 'b', 'd'])).toEqual({ added: ['c', 'd'], removed: ['a'] });
  expect(diffSets(null, ['a', 'a'])).toEqual({ added: ['a'], removed: [] });
  expect(diffSets(['a'], undefined)).toEqual({ added: [], removed: ['a'] });
});
