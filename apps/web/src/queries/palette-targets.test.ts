import { expect, test } from 'vitest';
import { targetsHolding } from './palette-targets.ts';

test('what is typed is searched for as it is, not as a pattern', () => {
  expect(targetsHolding(' a.b"c ')).toBe(
    String.raw`"/item/name" matches "(?i)a\\.b\"c" or "/item/id" matches "(?i)a\\.b\"c" or "/item/address" matches "(?i)a\\.b\"c"`,
  );
});
