import { expect, test } from 'vitest';
import { isId, newId, randomBase62 } from './ids.ts';

test('creates distinct IDs with a prefix and ten base62 characters', () => {
  const ids = new Set(Array.from({ length: 5000 }, () => newId('ttcp')));
  expect(ids.size).toBe(5000);
  for (const id of ids) expect(id).toMatch(/^ttcp_[0-9A-Za-z]{10}$/);
});

test('uses every base62 character equally often', () => {
  const counts = new Map<string, number>();
  for (const letter of randomBase62(124_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // 2000 of each are expected; the bias of a plain modulo (25 %) would exceed ten standard deviations (45).
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(450);
});

test.each([
  ['ttcp_1234567890', true],
  ['tssh_abcDEF7890', true],
  ['ttcp_123456789', false],
  ['ttcp_12345678901', false],
  ['ttcp_12345678-0', false],
  ['xtcp_1234567890', false],
  ['_1234567890', false],
  ['ttcp-1234567890', false],
  ['', false],
  [null, false],
  [7, false],
])('isId(%j) is %j', (value, expected) => {
  expect(isId(value, 'ttcp', 'tssh')).toBe(expected);
});
