import type { CloudRoleFields } from '@gatehouse/api-types/console/cloud-roles';
import { expect, test } from 'vitest';
import { roleAsCode } from './role-as-code.ts';

const fields: CloudRoleFields = {
  credential_type: 'iam_user',
  role_arns: [],
  policy_arns: ['arn:aws:iam::aws:policy/A', 'arn:aws:iam::aws:policy/B'],
  policy_document: '{\n  "Version": "2012-10-17"\n}',
  iam_groups: [],
  iam_tags: { team: "o'neill", 'cost center': '7' },
  session_tags: {},
  external_id: '',
  default_sts_ttl: '',
  max_sts_ttl: '',
  user_path: '',
  permissions_boundary_arn: '',
};

test("writes the role's set fields, with the document on one line and tags one by one", () => {
  const { cli, http, terraform } = roleAsCode({ mount: 'team/cloud', role: 'deploy' }, fields);
  expect(cli).toBe(
    String.raw`vault write team/cloud/roles/deploy \
  credential_type=iam_user \
  policy_arns=arn:aws:iam::aws:policy/A,arn:aws:iam::aws:policy/B \
  policy_document='{"Version":"2012-10-17"}' \
  iam_tags='team=o'\''neill' \
  iam_tags='cost center=7'`,
  );
  expect(http).toContain('/v1/team/cloud/roles/deploy"');
  expect(http).toContain('"cost center=7"');
  expect(terraform).toContain('iam_tags        = { "team" = "o\'neill", "cost center" = "7" }');
});

test('an edit sends emptied fields, and Terraform gets seconds', () => {
  const times = { ...fields, credential_type: 'federation_token', max_sts_ttl: '2h', iam_tags: {} } as const;
  const { cli, terraform } = roleAsCode({ mount: 'cloud', role: 'r' }, times, [
    'iam_tags',
    'default_sts_ttl',
  ]);
  expect(cli).toContain('  iam_tags= \\\n  default_sts_ttl= \\\n  max_sts_ttl=2h');
  expect(terraform).toContain('max_sts_ttl     = 7200');
  expect(terraform).not.toContain('iam_tags');
});

test('a tag key with an equals sign is sent in a map, without a CLI command', () => {
  const { cli, http } = roleAsCode({ mount: 'cloud', role: 'r' }, { ...fields, iam_tags: { 'a=b': 'c' } });
  expect(cli).toBeUndefined();
  expect(http).toContain('"a=b": "c"');
});
