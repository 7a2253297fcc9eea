import { expect, test } from 'vitest';
import { revocationImpacts } from './RevokeLeases.tsx';

test.each([
  ['of one user', [true], ['The IAM user with its key and policies is deleted']],
  ['of several', [true, true], ['Leased IAM users are deleted with their keys']],
  ['of one session', [false], ["Temporary credentials can't be revoked at the provider. The lease ends"]],
  [
    'of either',
    [true, false],
    ['IAM users', "Temporary credentials can't be revoked at the provider. Their leases end"],
  ],
  [
    'that are not all listed',
    [false],
    ['IAM users', "Temporary credentials can't be revoked at the provider. Their leases end"],
  ],
])('lists the effects of revoking leases %s', (kind, renewable, words) => {
  const leases = renewable.map((one) => ({ id: 'x', renewable: one }));
  const texts = revocationImpacts(leases, !kind.includes('not all')).map(({ text }) => text);
  expect(texts).toEqual([...words.map((start) => expect.stringContaining(start)), expect.any(String)]);
});
