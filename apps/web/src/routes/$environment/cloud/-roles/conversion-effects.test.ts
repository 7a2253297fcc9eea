import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { expect, test } from 'vitest';
import { conversionEffects } from './conversion-effects.ts';
import { blankRole } from './role-fields.ts';

const legacy: CloudRole = {
  ...blankRole,
  mount: 'cloud',
  name: 'old',
  revision: '1',
  credential_type: 'iam_user,federation_token',
  default_sts_ttl: 0,
  max_sts_ttl: 0,
  legacy: true,
  invalid_data: 'x',
  other: {},
  may: null,
};

test('lists what each path issues after the conversion, and what it issued before', () => {
  expect(conversionEffects(legacy, { ...blankRole, credential_type: 'iam_user' })).toEqual([
    'cloud/creds/old issues: IAM user.',
    'cloud/sts/old issues: IAM user. Previously: Federation token.',
    'Credentials the role has issued stay valid until their leases end.',
    "The role's invalid data is removed.",
  ]);
  expect(conversionEffects(legacy, { ...blankRole, credential_type: 'federation_token' })[0]).toBe(
    'cloud/creds/old issues: Federation token. Previously: IAM user.',
  );
  expect(conversionEffects(legacy, { ...blankRole, credential_type: '' })).toEqual([]);
});
