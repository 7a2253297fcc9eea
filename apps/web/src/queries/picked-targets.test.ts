import { expect, test } from 'vitest';
import { targetsHolding } from './picked-targets.ts';

test('searches for the literal text, not as a pattern', () => {
  const pattern = '`(?i)a\\.b"c\\x60`';
  expect(targetsHolding(' a.b"c` ')).toBe(
    `"/item/name" matches ${pattern} or "/item/id" matches ${pattern} or "/item/address" matches ${pattern}`,
  );
});
