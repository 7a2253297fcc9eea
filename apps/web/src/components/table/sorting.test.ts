import { expect, test } from 'vitest';
import { sortingOf, sortText } from './sorting.ts';

test('an order survives a round trip through the address', () => {
  for (const sorting of [
    null,
    { columnId: 'name', direction: 'ascending' },
    { columnId: 'name', direction: 'descending' },
  ] as const) {
    expect(sortingOf(sortText(sorting))).toEqual(sorting);
  }
});
