import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cloudRoleFields, fieldsOfCloudRole, newCloudRole, roleProblems } from './cloud-roles.ts';
import { durationOf, secondsOf } from './cloud-values.ts';

test('reads and writes durations', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seconds) => {
      expect(secondsOf(durationOf(seconds))).toBe(seconds);
    }),
  );
  expect(['3600', '1h30m', '90s', '1.5h'].map(secondsOf)).toEqual([3600, 5400, 90, 5400]);
  expect(['', 'x', '1d', '-1s', '1h x'].map(secondsOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(durationOf(0)).toBe('');
});

describe('a cloud role', () => {
  const empty = {
    credential_type: 'iam_user' as const,
    role_arns: [],
    policy_arns: [],
    policy_document: '',
    iam_groups: [],
    iam_tags: {},
    session_tags: {},
    external_id: '',
    default_sts_ttl: '',
    max_sts_ttl: '',
    user_path: '',
    permissions_boundary_arn: '',
  };
  const policy = 'arn:aws:iam::aws:policy/ReadOnlyAccess';
  const role = 'arn:aws:iam::123456789012:role/deploy';

  test('requires the fields of its type', () => {
    const fieldsWith = (more: object) => roleProblems({ ...empty, ...more }).map(({ field }) => field);
    expect(fieldsWith({})).toEqual(['policy_arns']);
    expect(fieldsWith({ policy_document: '{}' })).toEqual([]);
    expect(fieldsWith({ policy_arns: [policy] })).toEqual([]);
    expect(fieldsWith({ credential_type: 'assumed_role' })).toEqual(['role_arns']);
    expect(
      fieldsWith({
        credential_type: 'assumed_role',
        role_arns: [role],
        default_sts_ttl: '2h',
        max_sts_ttl: '1h',
      }),
    ).toEqual(['default_sts_ttl']);
  });

  test('accepts a policy document only up to a nesting limit', () => {
    const accepts = (levels: number) =>
      cloudRoleFields.safeParse({
        ...empty,
        policy_document: `{"a{[":${'['.repeat(levels - 1)}"\\"]"${']'.repeat(levels - 1)}}`,
      }).success;
    expect([2, 32, 33, 60_000].map(accepts)).toEqual([true, true, false, false]);
  });

  test("refuses an ARN of another kind, such as a role's for a policy", () => {
    const accepts = (more: object) =>
      cloudRoleFields.safeParse({ ...empty, policy_arns: [policy], ...more }).success;
    expect(accepts({ role_arns: [role] })).toBe(true);
    expect(accepts({ policy_arns: [role] })).toBe(false);
    expect(accepts({ role_arns: [policy] })).toBe(false);
    expect(accepts({ policy_arns: ['arn:aws-cn:iam::123456789012:policy/team/x'] })).toBe(true);
    expect(accepts({ permissions_boundary_arn: policy, user_path: '/a/' })).toBe(true);
    expect(accepts({ user_path: 'a' })).toBe(false);
    expect(accepts({ external_id: 'partner:7/eu', session_tags: { team: '' } })).toBe(true);
    expect(accepts({ external_id: 'x' })).toBe(false);
    expect(accepts({ session_tags: { team: 'x'.repeat(257) } })).toBe(false);
    expect(newCloudRole.safeParse({ ...empty, name: '-x', policy_arns: [policy] }).success).toBe(false);
  });

  test.each([
    [
      'policy_arns',
      role,
      "This is a role's ARN. Enter a policy such as arn:aws:iam::aws:policy/ReadOnlyAccess.",
    ],
    [
      'role_arns',
      policy,
      "This is a policy's ARN. Enter a role such as arn:aws:iam::123456789012:role/deploy.",
    ],
    [
      'role_arns',
      'arn:aws:iam::123456789012:user/ana',
      "This is a user's ARN. Enter a role such as arn:aws:iam::123456789012:role/deploy.",
    ],
    [
      'role_arns',
      'arn:aws:sts::123456789012:assumed-role/x/me',
      'This is the ARN of an assumed-role (sts). Enter a role such as arn:aws:iam::123456789012:role/deploy.',
    ],
    ['role_arns', 'deploy', 'Enter a role such as arn:aws:iam::123456789012:role/deploy.'],
    ['policy_arns', `${policy}, ${policy}`, 'This contains more than one ARN. Enter each one separately.'],
    ['role_arns', `${role} x`, 'Enter a role such as arn:aws:iam::123456789012:role/deploy.'],
  ])('names the actual kind of an ARN: %s %s', (field, arn, message) => {
    const { error } = cloudRoleFields.safeParse({ ...empty, policy_arns: [policy], [field]: [arn] });
    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('edits the stored fields', () => {
    const stored = {
      ...empty,
      mount: 'cloud',
      name: 'deploy',
      revision: 'r',
      credential_type: 'federation_token',
      policy_arns: [policy],
      default_sts_ttl: 900,
      max_sts_ttl: 0,
      legacy: false,
      invalid_data: '',
      other: {},
      may: null,
    };
    expect(fieldsOfCloudRole(stored)).toEqual({
      ...empty,
      credential_type: 'federation_token',
      policy_arns: [policy],
      default_sts_ttl: '15m',
    });
  });
});
