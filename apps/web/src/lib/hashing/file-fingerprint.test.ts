import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileFingerprint } from './file-fingerprint.ts';

const mebibyte = 1024 * 1024;

test('covers the size and both ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 * mebibyte }), fc.nat(255), async (length, fill) => {
      const bytes = Buffer.alloc(length, fill);
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(BigInt(length));
      const expected = createHash('sha256')
        .update(size)
        .update(bytes.subarray(0, mebibyte))
        .update(bytes.subarray(Math.max(0, length - mebibyte)))
        .digest('hex');
      expect(await fileFingerprint(new Blob([bytes]))).toBe(expected);
    }),
    { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 100 : 8 },
  );
});

test('differs after a change at either end, or of the size', async () => {
  const base = Buffer.alloc(3 * mebibyte, 1);
  const variants = [base, Buffer.from(base), Buffer.from(base), Buffer.alloc(3 * mebibyte + 1, 1)];
  variants[1]?.writeUInt8(2, 0);
  variants[2]?.writeUInt8(2, base.length - 1);
  const found = await Promise.all(variants.map((bytes) => fileFingerprint(new Blob([bytes]))));
  expect(new Set(found).size).toBe(4);
});
