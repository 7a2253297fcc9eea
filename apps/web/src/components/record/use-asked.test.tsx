import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useAsked } from './use-asked.ts';

afterEach(cleanup);

test('the first fresh value stays, and replaces a cached one', () => {
  const first: { data: string | undefined; isStale: boolean } = { data: undefined, isStale: true };
  const { result, rerender } = renderHook(({ data, isStale }) => useAsked(data, isStale), {
    initialProps: first,
  });
  const shown = [result.current];
  for (const [data, isStale] of [
    ['kept', true],
    ['read', false],
    ['read', true],
    ['read later', false],
  ] as const) {
    rerender({ data, isStale });
    shown.push(result.current);
  }
  expect(shown).toEqual([undefined, 'kept', 'read', 'read', 'read']);
});
