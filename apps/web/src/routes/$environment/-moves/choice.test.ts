import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerHere, withItems, withName, withOwner } from './choice.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const items = fc.record({ kind: fc.constantFrom('all-but', 'only'), ids: fc.uniqueArray(id) });
const isChosen = ({ kind, ids }: MoveChoice['items'], one: string): boolean =>
  ids.includes(one) === (kind === 'only');

test('chooses items or leaves them out, and keeps the others', () => {
  fc.assert(
    fc.property(items, fc.uniqueArray(id), fc.boolean(), (before, ids, wanted) => {
      const after = withItems(before, ids, wanted);
      const named = new Set<string>(ids);
      for (const one of ['a', 'b', 'c', 'd'])
        expect(isChosen(after, one)).toBe(named.has(one) ? wanted : isChosen(before, one));
    }),
  );
});

test('stores a choice of all names as all, which includes later ones', () => {
  const all = ['libvirt', 'qemu'];
  expect(withName(null, all, 'qemu', false)).toEqual(['libvirt']);
  expect(withName(['libvirt'], all, 'qemu', true)).toBeNull();
  expect(withName(['libvirt'], all, 'libvirt', false)).toEqual([]);
});

test('renames an owner, and restores its name', () => {
  const renamed = withOwner([], 'acme', ' acme-corp ');
  expect(ownerHere(renamed, 'acme')).toBe('acme-corp');
  expect(ownerHere(renamed, 'debian')).toBe('debian');
  expect(withOwner(renamed, 'acme', 'acme')).toEqual([]);
  expect(withOwner(renamed, 'acme', '')).toEqual([]);
});
