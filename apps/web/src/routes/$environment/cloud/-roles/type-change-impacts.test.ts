import { expect, test } from 'vitest';
import { blankRole, lostByEdit, type RoleForm } from './role-fields.ts';
import { typeChangeImpacts } from './type-change-impacts.ts';

const stored: RoleForm = {
  ...blankRole,
  credential_type: 'iam_user',
  policy_arns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
  permissions_boundary_arn: 'arn:aws:iam::123456789012:policy/edge',
};
const textsOf = (values: Partial<RoleForm>, leases: number | null) =>
  typeChangeImpacts(lostByEdit(stored, { ...stored, ...values }), leases).map(({ text }) => text);

test('changing the type loses stored and entered fields, and a lost boundary removes a security limit', () => {
  expect(textsOf({ credential_type: 'assumed_role', iam_tags: { team: 'ci' } }, 2)).toEqual([
    'Lost: Permissions boundary arn:aws:iam::123456789012:policy/edge. This removes a security limit: no permissions boundary applies to credentials issued afterwards.',
    'Lost: Tags team=ci',
    '2 leases remain active: the credentials stay valid until the leases end.',
  ]);
  // Clearing it first doesn't change that.
  expect(
    lostByEdit(stored, { ...stored, permissions_boundary_arn: '', credential_type: 'federation_token' }),
  ).toHaveLength(1);
  expect(lostByEdit(stored, { ...stored, role_arns: ['x'] })).toEqual([]);
});

test.each([
  [1, /^1 lease remains active/],
  [0, /no active leases/],
  [null, /can't list/],
])('reports %s active leases', (leases, words) => {
  expect(textsOf({ credential_type: 'assumed_role' }, leases).at(-1)).toMatch(words);
});
