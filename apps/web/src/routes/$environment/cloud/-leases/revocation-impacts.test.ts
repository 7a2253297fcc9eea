import { expect, test } from 'vitest';
import { revocationImpacts } from './RevokeLeases.tsx';

test.each([
  ['of one user', [true], ['The IAM user with its key and policies is deleted']],
  ['of several', [true, true], ['IAM users with their keys and policies are deleted']],
  ['of one session', [false], ["Temporary credentials can't be revoked at the provider. The lease ends"]],
  [
    'of either',
    [true, false],
    ['IAM users', "Temporary credentials can't be revoked at the provider. Their leases end"],
  ],
  ['that may not be listed', [], ['IAM users']],
])('leases %s: what ends with them', (_, renewable, words) => {
  const texts = revocationImpacts(renewable.map((one) => ({ id: 'x', renewable: one }))).map(
    ({ text }) => text,
  );
  expect(texts).toEqual([...words.map((start) => expect.stringContaining(start)), expect.any(String)]);
});
