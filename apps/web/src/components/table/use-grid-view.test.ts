import { defaultGridView } from '@gatehouse/ui/data-grid';
import { expect, test } from 'vitest';
import { isGridView } from './use-grid-view.ts';

const view = {
  hidden: ['address'],
  widths: { name: 240 },
  pinned: { start: ['name'], end: [] },
  density: 28,
};

test('a stored arrangement is used as it is', () => {
  expect([view, defaultGridView].every(isGridView)).toBe(true);
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'wide'],
  ['columns hidden by number', { ...view, hidden: [1] }],
  ['hidden columns that are a text', { ...view, hidden: 'address' }],
  ['no widths', { ...view, widths: undefined }],
  ['a width that is a text', { ...view, widths: { name: '240' } }],
  ['pinned columns without an end', { ...view, pinned: { start: [] } }],
  ['nothing pinned', { ...view, pinned: null }],
  ['a density that no grid has', { ...view, density: 30 }],
])('an arrangement from an older page that no grid can show counts as not set: %s', (_, stored) => {
  expect(isGridView(stored)).toBe(false);
});
