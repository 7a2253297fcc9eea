import { expect, test } from 'vitest';
import { targetsHolding } from './palette-targets.ts';

test('what is typed is searched for as it is, not as a pattern', () => {
  const pattern = '`(?i)a\\.b"c\\x60`';
  expect(targetsHolding(' a.b"c` ')).toBe(
    `"/item/name" matches ${pattern} or "/item/id" matches ${pattern} or "/item/address" matches ${pattern}`,
  );
});
