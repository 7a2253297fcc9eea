import type { CloudRoleSummary } from '@gatehouse/api-types/console/cloud-roles';
import { expect, test } from 'vitest';
import { grantsInWords, narrowWords, timesInWords } from './role-columns.tsx';

const bare: CloudRoleSummary = {
  name: 'deploy',
  credential_type: 'assumed_role',
  role_arns: [],
  policy_arns: [],
  iam_groups: [],
  has_policy_document: false,
  default_sts_ttl: 0,
  max_sts_ttl: 0,
};

test.each<[string, Partial<CloudRoleSummary>, string]>([
  ['one of a kind by its name', { role_arns: ['arn:aws:iam::123456789012:role/ci/deploy'] }, 'Role deploy'],
  [
    'several by their number',
    { policy_arns: ['arn:aws:iam::aws:policy/A', 'arn:aws:iam::aws:policy/B'], has_policy_document: true },
    '2 policies, policy document',
  ],
  ['groups', { iam_groups: ['ops'] }, 'Group ops'],
  ['nothing of what may not be read', { role_arns: null, policy_arns: null, iam_groups: null }, ''],
])('grants %s', (_, own, words) => {
  expect(grantsInWords({ ...bare, ...own })).toBe(words);
});

test.each<[Partial<CloudRoleSummary>, string]>([
  [{}, 'Assumed role · 1 hour unless requested otherwise'],
  [{ default_sts_ttl: 900, max_sts_ttl: 7200 }, 'Assumed role · at most 2 hours'],
  [{ credential_type: 'iam_user' }, 'IAM user'],
  [{ credential_type: null }, 'Not readable'],
])('is summarized in one line: %o', (own, words) => {
  expect(narrowWords({ ...bare, ...own })).toBe(words);
});

test.each<[Partial<CloudRoleSummary>, string]>([
  [{}, '1 hour unless requested otherwise'],
  [{ default_sts_ttl: 900, max_sts_ttl: 7200 }, '15 minutes, at most 2 hours'],
  [{ credential_type: 'iam_user' }, 'As long as its lease'],
  [{ credential_type: null }, ''],
])('describes lifetimes: %o', (own, words) => {
  expect(timesInWords({ ...bare, ...own })).toBe(words);
});
