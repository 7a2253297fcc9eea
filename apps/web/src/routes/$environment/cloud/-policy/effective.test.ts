import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectivePermissions, type StatementRole } from './effective.ts';

const role = (changes: Partial<StatementRole>): StatementRole => ({
  credential_type: 'iam_user',
  role_arns: [],
  policy_arns: [],
  policy_document: '',
  iam_groups: [],
  permissions_boundary_arn: '',
  ...changes,
});
const document = (...Statement: object[]) => JSON.stringify({ Version: '2012-10-17', Statement });
const sentences = (...statements: object[]) =>
  effectivePermissions(role({ policy_document: document(...statements) })).statements.map(
    ({ sentence, resources, conditions }) => [sentence, ...resources, ...conditions].join(' | '),
  );

test('describes each statement, denials first', () => {
  expect(
    sentences(
      {
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:ListBucket'],
        Resource: ['arn:aws:s3:::logs', 'arn:aws:s3:::logs/*'],
      },
      {
        Effect: 'Deny',
        Action: 's3:Delete*',
        Resource: '*',
        Condition: { StringNotEquals: { 'aws:RequestedRegion': ['eu-central-1', 'eu-west-1'] } },
      },
      { Effect: 'Allow', Action: ['ec2:*', 'kms:Decrypt'], NotResource: 'arn:aws:s3:::logs/private/*' },
      { Effect: 'Allow', NotAction: ['iam:*'], Resource: 'arn:aws:sqs:eu-central-1:123456789012:jobs' },
      { Effect: 'allow', Action: '*', Resource: '*' },
    ),
  ).toEqual([
    'May not delete (s3:Delete*) on every resource | aws:RequestedRegion is not eu-central-1 and not eu-west-1',
    'May read (s3:GetObject) and list and look up (s3:ListBucket) on 2 resources | the bucket logs | every object in the bucket logs',
    'May do everything with ec2 and use (kms:Decrypt) on everything except objects private/* in the bucket logs',
    'May do everything except iam:* on arn:aws:sqs:eu-central-1:123456789012:jobs',
    'Unknown effect: do everything on every resource',
  ]);
});

test('numbers in conditions keep every digit', () => {
  const text = document({
    Effect: 'Allow',
    Action: '*',
    Resource: '*',
    Condition: { NumericEquals: { 'x:n': ['N', 7] } },
  }).replace('"N"', '9007199254740993');
  const { statements } = effectivePermissions(role({ policy_document: text }));
  expect(statements[0]?.conditions.join(' ')).toContain('9007199254740993 or 7');
});

test.each([
  [role({}), "It can't do anything"],
  [
    role({ policy_document: document(), policy_arns: ['a', 'b'] }),
    'what the policy document and 2 managed policies allow together. A Deny in any of them wins.',
  ],
  [
    role({ iam_groups: ['ops'], permissions_boundary_arn: 'x' }),
    'what the policies of its groups allow together. A Deny in any of them wins. The permissions boundary caps all of this',
  ],
  [
    role({ policy_arns: ['a'], permissions_boundary_arn: 'x' }),
    'what a managed policy allows. The permissions boundary caps all of this',
  ],
  [role({ credential_type: 'assumed_role', role_arns: ['r'] }), 'The cloud role adds no restrictions'],
  [
    role({ credential_type: 'assumed_role', role_arns: ['r', 's'] }),
    'Everything the policies of the chosen role allow. The cloud role adds no restrictions.',
  ],
  [
    role({ credential_type: 'federation_token', policy_arns: ['a', 'b'] }),
    'can do, limited to what 2 managed policies allow',
  ],
  [
    role({ credential_type: 'assumed_role', role_arns: ['r', 's'], policy_arns: ['a'] }),
    'the policies of the chosen role allow, limited to what a managed policy allows',
  ],
  [
    role({ credential_type: 'federation_token', policy_document: document() }),
    "What this engine's root user can do, limited to what the policy document allows",
  ],
  [role({ credential_type: 'iam_user,federation_token' }), 'A legacy role.'],
  [role({ credential_type: 'session_token' }), 'know the credential type "session_token"'],
])('describes how the sources combine: %#', (given, rule) => {
  expect(effectivePermissions(given).rule).toContain(rule);
});

test('lists the sources without inventing their contents', () => {
  const found = effectivePermissions(
    role({
      policy_arns: [
        'arn:aws:iam::aws:policy/job-function/ReadOnlyAccess',
        'arn:aws:iam::123456789012:policy/deploy',
        'odd',
      ],
      iam_groups: ['ops'],
      permissions_boundary_arn: 'arn:aws:iam::123456789012:policy/cap',
    }),
  );
  expect(found.sources.map(({ title }) => title)).toEqual([
    'AWS managed: ReadOnlyAccess',
    'Managed in 123456789012: deploy',
    'odd',
    'Group: ops',
    'Permissions boundary: cap',
  ]);
  expect(found.unknown.join(' ')).toContain('What the policies of the groups allow');
});

test("a document that can't be read is reported as unreadable, whatever the text", () => {
  expect(effectivePermissions(role({ policy_document: '{' })).isUnreadable).toBe(true);
  expect(effectivePermissions(role({ policy_document: '' })).isUnreadable).toBe(false);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.jsonValue().map((Statement) => JSON.stringify({ Statement })),
      ),
      (text) => {
        const { statements, isUnreadable } = effectivePermissions(role({ policy_document: text }));
        expect(isUnreadable && statements.length > 0).toBe(false);
      },
    ),
    { numRuns: 200 },
  );
});
