import { expect, test } from 'vitest';
import { deleteImpacts } from './delete-impacts.ts';

const using = (...names: readonly string[]) => ({
  items: names.map((name) => ({ id: `t_${name}`, name })),
  more: false,
});
const breaks = (text: unknown) => ({ kind: 'breaks', text });
const known = (text: unknown) => ({ kind: 'worth-knowing', text });

test('names the targets that break and counts the leases that outlive the role', () => {
  expect(deleteImpacts(2, using('db', ''))).toEqual([
    breaks('2 targets get no credentials from it any more: db, t_.'),
    known('2 leases outlive it: the credentials last until they end. Revoke them first if they should not.'),
  ]);
  expect(deleteImpacts(0, using('a', 'b', 'c', 'd', 'e', 'f', 'g'))).toEqual([
    breaks('7 targets get no credentials from it any more: a, b, c, d, e, 2 more.'),
    known('No lease of it runs.'),
  ]);
});

test('says what could not be looked up', () => {
  expect(deleteImpacts(null, null)).toEqual([
    known('You may not list its leases: credentials that it issued last until theirs end.'),
    known('Other targets may use it: not all could be looked at.'),
  ]);
  expect(deleteImpacts(0, using())).toEqual([known('No lease of it runs.')]);
});
