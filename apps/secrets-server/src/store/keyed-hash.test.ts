import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyedHash } from './keyed-hash.ts';

test("equals Node's HMAC, until the key is wiped", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.string(),
      fc.string(),
      (key, one, other) => {
        const keyed = keyedHash(key);
        for (const text of [one, other, one]) {
          expect(keyed.of(text)).toBe(createHmac('sha256', key).update(text).digest('base64url'));
        }
        keyed.wipe();
        expect(keyed.of(one)).not.toBe(createHmac('sha256', key).update(one).digest('base64url'));
      },
    ),
  );
});
