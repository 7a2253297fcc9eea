import { cloudCredentialTypes } from '@gatehouse/api-types/console/cloud-values';
import { expect, test } from 'vitest';
import { blankRole, lostFields, withoutUnused, type RoleForm } from './role-fields.ts';
import { roleForm } from './role-form.ts';

const filled: RoleForm = {
  credential_type: 'iam_user',
  role_arns: ['arn:aws:iam::123456789012:role/deploy'],
  policy_arns: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
  policy_document: '{}',
  iam_groups: ['ops'],
  iam_tags: { team: 'a' },
  session_tags: { team: 'a' },
  external_id: 'partner-7',
  default_sts_ttl: '15m',
  max_sts_ttl: '1h',
  user_path: '/ci/',
  permissions_boundary_arn: 'arn:aws:iam::123456789012:policy/edge',
};

test('changing the credential type lists the fields and values that are lost', () => {
  expect(lostFields({ ...filled, credential_type: 'assumed_role' })).toEqual([
    { label: 'Tags', value: 'team=a', isLimit: false },
    { label: 'User path', value: '/ci/', isLimit: false },
    { label: 'Permissions boundary', value: 'arn:aws:iam::123456789012:policy/edge', isLimit: true },
  ]);
  expect(lostFields({ ...filled, credential_type: 'federation_token' })[0]).toEqual({
    label: 'Role ARNs',
    value: 'arn:aws:iam::123456789012:role/deploy',
    isLimit: false,
  });
  expect(lostFields({ ...blankRole, user_path: '/', credential_type: 'assumed_role' })).toEqual([]);
});

test.each(cloudCredentialTypes)('%s: the form has exactly the fields that are saved', (type) => {
  const { sections, schema } = roleForm({ ...filled, credential_type: type });
  const shown = sections.flatMap(({ fields }) => fields.map(({ path }) => path));
  const saved = withoutUnused({ ...filled, credential_type: type });
  const kept = Object.entries(saved).filter(([, value]) => value !== '' && Object.keys(value).length > 0);
  expect(kept.map(([name]) => name).toSorted()).toEqual(shown.toSorted());
  expect(schema.parse({ ...filled, credential_type: type })).toEqual(saved);
});

test("fields of other types aren't checked, and a missing type is reported", () => {
  const wrong = { ...filled, role_arns: ['no role'] };
  const { schema } = roleForm(wrong);
  expect(schema.safeParse(wrong).success).toBe(true);
  const other = schema.safeParse({ ...wrong, credential_type: 'assumed_role' });
  expect(other.error?.issues.map(({ path }) => path.join('.'))).toEqual(['role_arns.0']);
  const open = schema.safeParse({ ...filled, credential_type: '' });
  expect(open.error?.issues.map(({ message }) => message)).toEqual(['Choose a credential type.']);
});
