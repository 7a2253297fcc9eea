import type { FilteredItem } from '@gatehouse/api-types/console/replication-secondaries';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectsOf, impactsOfFilter } from './filter-effects.ts';

const item = (path: string, received: boolean, will_be_received: boolean): FilteredItem => ({
  path,
  kind: 'secret',
  plugin: 'kv',
  description: '',
  local: false,
  received,
  will_be_received,
});
const wordsOf = (items: readonly FilteredItem[], unmatched: readonly string[] = [], complete = true) =>
  impactsOfFilter('eu', 'deny', { items, unmatched, complete }).map(({ kind, text }) => `${kind}: ${text}`);

test('lists losses first, then gains and unmatched paths', () => {
  expect(wordsOf([item('a', true, false), item('b', false, true), item('c', true, true)], ['d'])).toEqual([
    'breaks: 1 path and everything below it are deleted from eu: a.',
    'updates-itself: eu also receives 1 path: b.',
    'worth-knowing: Nothing exists at d yet. The filter applies to anything mounted there later.',
    "worth-knowing: A filtered secondary can't become the primary without losing the data it doesn't have.",
  ]);
});

test("doesn't say that a filter applies later to paths that no filter affects", () => {
  expect(wordsOf([], ['sys', 'team/sys/policies', 'system'])).toEqual(
    expect.arrayContaining([
      'worth-knowing: No filter affects sys, team/sys/policies. Policies and the plugin catalog are always replicated. Tokens and accounts never are.',
      'worth-knowing: Nothing exists at system yet. The filter applies to anything mounted there later.',
    ]),
  );
});

test('warns that more may be deleted than is visible', () => {
  expect(wordsOf([], ['d'], false)).toEqual(
    expect.arrayContaining([
      'worth-knowing: Nothing was found at d. The filter applies to anything there, now or later.',
      "worth-knowing: Your policies don't let you list every mount and namespace, or there are too many to list. More may be deleted.",
    ]),
  );
  expect(wordsOf([]).join()).toContain('Nothing changes for existing data.');
});

test('sorts every item into exactly one group', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean())), (given) => {
      const items = given.map(([had, has], index) => item(String(index), had, has));
      const { loses, gains, keeps, without } = effectsOf(items);
      const all = [...loses, ...gains, ...keeps, ...without].map(({ path }) => path);
      expect(all.toSorted()).toEqual(items.map(({ path }) => path).toSorted());
    }),
  );
});
