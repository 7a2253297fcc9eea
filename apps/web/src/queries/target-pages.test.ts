import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testTarget } from '#components/targets/test-target.ts';
import { appendPage, dropTargets, noTargets, putTarget, type TargetPage } from './target-pages.ts';

const target = (id: string, name = id) => testTarget({ id, name });

const ids = fc.uniqueArray(fc.stringMatching(/^t[0-9]{1,3}$/), { minLength: 1, maxLength: 60 });

test('overlapping pages list each target once, in order, until the last page', () => {
  fc.assert(
    fc.property(
      ids,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 5 }),
      (all, size, overlap) => {
        let list = noTargets;
        for (let from = 0; from < all.length; from += size) {
          const isLast = from + size >= all.length;
          const page: TargetPage = {
            items: all.slice(Math.max(0, from - overlap), from + size).map((id) => target(id)),
            est_item_count: all.length,
            ...(!isLast && { next_page_token: String(from + size) }),
          };
          list = appendPage(list, page);
          expect([list.isComplete, list.nextPage]).toEqual([isLast, page.next_page_token]);
        }
        expect(list.items.map(({ id }) => id)).toEqual(all);
      },
    ),
  );
});

test('equal parts of targets share memory', () => {
  const list = appendPage(noTargets, { items: [target('a'), target('b')], est_item_count: 2 });
  expect(list.items[0]?.scope).toBe(list.items[1]?.scope);
  expect(list.items[0]?.host_sources).toBe(list.items[1]?.brokered_credential_sources);
});

test('a written target keeps its position, a new one is first, and one of another scope is ignored', () => {
  const list = appendPage(noTargets, { items: [target('a'), target('b')], est_item_count: 2 });
  const written = putTarget(list, target('b', 'renamed'), () => false);
  expect(written.items.map(({ name }) => name)).toEqual(['a', 'renamed']);
  expect(putTarget(list, target('c'), () => true)).toMatchObject({
    estimate: 3,
    items: [{ id: 'c' }, { id: 'a' }, { id: 'b' }],
  });
  expect(putTarget(list, target('c'), () => false)).toBe(list);
});

test('deleted targets are removed from the list and its estimate', () => {
  const list = appendPage(noTargets, { items: [target('a'), target('b')], est_item_count: 2 });
  expect(dropTargets(list, new Set(['a', 'x']))).toMatchObject({ estimate: 1, items: [{ id: 'b' }] });
  expect(dropTargets(list, new Set(['x']))).toBe(list);
});
