import { expect, test } from 'vitest';
import { testMove } from '#components/moves/test-move.ts';
import { namesNotFound } from './not-found.ts';

test('lists names whose owner has nothing, in their order', () => {
  const found = { owners: ['acme'], providers: [], architectures: [] };
  expect(namesNotFound(testMove({ wanted: ['nobody', 'acme', 'acme/base', 'amce/base'], found }))).toEqual([
    'nobody',
    'amce/base',
  ]);
  expect(namesNotFound(testMove({ wanted: ['acme'], found }))).toEqual([]);
});
