import { expect, test } from 'vitest';
import { deleteImpacts } from './delete-impacts.ts';

const using = (...names: readonly string[]) => ({
  items: names.map((name) => ({ id: `t_${name}`, name })),
  more: false,
});
const texts = (...given: Parameters<typeof deleteImpacts>): readonly string[] =>
  deleteImpacts(...given).map(({ kind, text }) => [kind, text].join(': '));

test('names the targets that break and counts the leases that outlive the role', () => {
  expect(texts(2, using('db', ''))).toEqual([
    'breaks: 2 targets get no credentials from it any more: db, t_.',
    'worth-knowing: 2 leases outlive it: the credentials last until they end. Revoke them first if they should not.',
  ]);
  expect(texts(0, using('a', 'b', 'c', 'd', 'e', 'f', 'g'))[0]).toContain('a, b, c, d, e, 2 more.');
});

test('says what could not be looked up', () => {
  expect(texts(null, null)).toEqual([
    'worth-knowing: You may not list its leases: credentials that it issued last until theirs end.',
    'worth-knowing: Other targets may use it: not all could be looked at.',
  ]);
  expect(texts(0, using())).toEqual(['worth-knowing: No lease of it runs.']);
});
