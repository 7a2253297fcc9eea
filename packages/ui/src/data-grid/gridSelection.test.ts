import { expect, test } from 'vitest';
import {
  describeAllMatching,
  describeCount,
  describeSelection,
  loadedSelectionState,
  selectRange,
  toggleRow,
} from './gridSelection.ts';
import { emptyGridSelection, type GridSelection } from './gridTypes.ts';

const loaded = ['a', 'b', 'c', 'd', 'e'];
const noun = { one: 'target', many: 'targets' };
const some = (...ids: string[]): GridSelection => ({ kind: 'rows', ids: new Set(ids) });

test('adds and removes a row', () => {
  expect(toggleRow(emptyGridSelection, 'b', loaded)).toEqual(some('b'));
  expect(toggleRow(some('a', 'b'), 'b', loaded)).toEqual(some('a'));
});

test('selects only the loaded rows after removing one from all that match', () => {
  expect(toggleRow({ kind: 'all-matching' }, 'c', loaded)).toEqual(some('a', 'b', 'd', 'e'));
});

test('selects a range in either direction and keeps earlier rows', () => {
  expect(selectRange(some('e'), 2, 0, loaded)).toEqual(some('e', 'a', 'b', 'c'));
});

test('reports the state of the loaded rows', () => {
  expect(loadedSelectionState(emptyGridSelection, loaded)).toBe('none');
  expect(loadedSelectionState(some('a'), loaded)).toBe('some');
  expect(loadedSelectionState(some(...loaded), loaded)).toBe('all');
  expect(loadedSelectionState({ kind: 'all-matching' }, loaded)).toBe('all');
  expect(loadedSelectionState({ kind: 'all-matching' }, [])).toBe('none');
  // Selected but not loaded: a search hides the row.
  expect(loadedSelectionState(some('z'), loaded)).toBe('some');
});

test('describes the loaded rows and all that match', () => {
  const exact = { value: 100_000, isExact: true };
  const about = { value: 100_000, isExact: false };
  expect(describeCount(1, undefined, noun)).toBe('1 target');
  expect(describeCount(100_000, exact, noun)).toBe('100,000 targets');
  expect(describeCount(12_000, about, noun)).toBe('12,000 of about 100,000 targets loaded');
  expect(describeCount(500, { value: Infinity, isExact: false }, noun)).toBe(
    '500 targets loaded, more as you scroll',
  );
  expect(describeSelection(some('a', 'b'), 12_000, about, noun)).toBe('2 targets selected');
  expect(describeSelection({ kind: 'all-matching' }, 12_000, exact, noun)).toBe(
    'All 100,000 targets that match are selected',
  );
  expect(describeAllMatching(about)).toBe('Select all about 100,000 that match');
});
