import { expect, test } from 'vitest';
import { testMove } from '#components/moves/test-move.ts';
import { clashesOf, itemWords, notesOf } from './item-columns.tsx';

const { pieces: none } = testMove({});
const words = (pieces: Partial<typeof none>, more: Partial<Parameters<typeof itemWords>[0]> = {}): string =>
  itemWords({ chosen: true, problem: null, versions: 1, ...more, pieces: { ...none, ...pieces } }).word;

test("shows the most urgent state of a box's pieces", () => {
  expect(words({ copying: 1, failed: 1, waiting: 1 })).toBe('Copying');
  expect(words({ failed: 1200, waiting: 1 })).toBe('1,200 failed');
  expect(words({ waiting: 1, copied: 3 })).toBe('Waiting');
  expect(words({ missing: 1, here: 3 })).toBe('To be copied');
  expect(words({ copied: 1, here: 3, clash: 1 })).toBe('Copied');
  expect(words({ clash: 1, here: 3 })).toBe('Differs here');
  expect(words({ here: 3, 'left-out': 1 })).toBe('Already here');
  expect(words({ missing: 1 }, { chosen: false })).toBe('Skipped');
  expect(words({}, { versions: 0 })).toBe('No versions');
  expect(words({ here: 1 }, { problem: { code: 'not-found', detail: 'It is gone.' } })).toBe('Failed');
  expect(words({}, { chosen: false, problem: { code: 'not-found', detail: 'It is gone.' } })).toBe('Skipped');
});

test("doesn't count notices as clashes", () => {
  const clash = (what: 'owner-created' | 'piece-differs') => ({ what, detail: '', done: '' });
  const clashes = [clash('owner-created'), clash('piece-differs')];
  expect(clashesOf({ problem: null, clashes }).map(({ what }) => what)).toEqual(['piece-differs']);
  const item = { problem: null, clashes, chosen: true, pieces: none };
  expect(notesOf(item).map(({ what }) => what)).toEqual(['piece-differs', 'owner-created']);
  expect(notesOf({ ...item, pieces: { ...none, copied: 1 } }).map(({ what }) => what)).toEqual([
    'piece-differs',
  ]);
  expect(clashesOf({ problem: { code: 'not-found', detail: '' }, clashes })).toEqual([]);
});
