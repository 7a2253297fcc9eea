import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownerHere, withItems, withName, withOwner } from './choice.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const items = fc.record({ kind: fc.constantFrom('all-but', 'only'), ids: fc.uniqueArray(id) });
const isChosen = ({ kind, ids }: MoveChoice['items'], one: string): boolean =>
  ids.includes(one) === (kind === 'only');

test('items are chosen and left out, and the others stay as they are', () => {
  fc.assert(
    fc.property(items, fc.uniqueArray(id), fc.boolean(), (before, ids, wanted) => {
      const after = withItems(before, ids, wanted);
      const named = new Set<string>(ids);
      for (const one of ['a', 'b', 'c', 'd'])
        expect(isChosen(after, one)).toBe(named.has(one) ? wanted : isChosen(before, one));
    }),
  );
});

test('all names chosen are said as all, and those that come later belong to them', () => {
  const all = ['libvirt', 'qemu'];
  expect(withName(null, all, 'qemu', false)).toEqual(['libvirt']);
  expect(withName(['libvirt'], all, 'qemu', true)).toBeNull();
  expect(withName(['libvirt'], all, 'libvirt', false)).toEqual([]);
});

test('an owner is renamed, and gets the name back', () => {
  const renamed = withOwner([], 'acme', ' acme-corp ');
  expect(ownerHere(renamed, 'acme')).toBe('acme-corp');
  expect(ownerHere(renamed, 'debian')).toBe('debian');
  expect(withOwner(renamed, 'acme', 'acme')).toEqual([]);
  expect(withOwner(renamed, 'acme', '')).toEqual([]);
});
