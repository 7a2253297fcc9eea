import { expect, test } from 'vitest';
import { base32, matchingStep, totpCode, totpStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test('computes the codes of RFC 6238, appendix B, with six digits', () => {
  const codes = [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000].map(
    (seconds) => totpCode(secret, totpStep(seconds * 1000)),
  );
  expect(codes).toEqual(['287082', '081804', '050471', '005924', '279037', '353130']);
});

test('accepts a code one step early or late, but never again', () => {
  const now = 1_111_111_109_000;
  const step = totpStep(now);
  for (const offset of [-1, 0, 1])
    expect(matchingStep(secret, totpCode(secret, step + offset), now, 0)).toBe(step + offset);
  for (const offset of [-2, 2])
    expect(matchingStep(secret, totpCode(secret, step + offset), now, 0)).toBeUndefined();
  expect(matchingStep(secret, totpCode(secret, step), now, step)).toBeUndefined();
  for (const bad of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
    expect(matchingStep(secret, bad, now, 0)).toBeUndefined();
});

test('encodes keys as in RFC 4648', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ]);
});
