import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membershipChange } from './membership-change.ts';

test('applying the change turns one set into the other, and names as few members as possible', () => {
  const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
  fc.assert(
    fc.property(set, set, (before, after) => {
      const { action, ids } = membershipChange(before, after);
      const [had, named] = [new Set(before), new Set(ids)];
      const reached = { add: had.union(named), remove: had.difference(named), set: named }[action];
      expect(reached.symmetricDifference(new Set(after)).size).toBe(0);
      if (action === 'add') expect(named.intersection(had).size).toBe(0);
      if (action === 'remove') expect(named.isSubsetOf(had)).toBe(true);
    }),
  );
});
