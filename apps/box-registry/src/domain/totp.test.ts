import { expect, test } from 'vitest';
import { matchingStep, totpOf } from './totp.ts';

const totp = totpOf(Buffer.from('12345678901234567890'));
/** Seconds of RFC 6238, appendix B, with the six digits of their codes. */
const codes = new Map([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [20_000_000_000, '353130'],
]);

test('makes the codes of RFC 6238', () => {
  for (const [seconds, code] of codes) expect(totp.generate({ timestamp: seconds * 1000 })).toBe(code);
});

test('accepts a code one step early or late, and never twice', () => {
  const now = 1_111_111_109_000;
  const step = totp.counter({ timestamp: now });
  const codeOf = (offset: number): string => totp.generate({ timestamp: now + offset * 30_000 });
  for (const offset of [-1, 0, 1]) expect(matchingStep(totp, codeOf(offset), now, 0)).toBe(step + offset);
  for (const offset of [-2, 2]) expect(matchingStep(totp, codeOf(offset), now, 0)).toBeUndefined();
  expect(matchingStep(totp, codeOf(0), now, step)).toBeUndefined();
  for (const bad of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(matchingStep(totp, bad, now, 0)).toBeUndefined();
});
