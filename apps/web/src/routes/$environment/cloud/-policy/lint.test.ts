import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actionsIn, lintPolicy, policySize } from './lint.ts';

const allow = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::logs/*' };
const policy = (Statement: unknown, more: object = { Version: '2012-10-17' }) =>
  JSON.stringify({ ...more, Statement }, null, 2);

test('a valid policy in any form has no findings', () => {
  for (const text of [
    '',
    ' \n',
    policy([allow]),
    policy(allow, { Version: '2008-10-17', Id: 'x' }),
    policy([
      { ...allow, Sid: 'A1' },
      {
        Sid: 'B2',
        Effect: 'Deny',
        NotAction: ['iam:*', 'sts:Get?allerIdentity'],
        NotResource: ['*'],
        Condition: {
          'ForAnyValue:StringLikeIfExists': { 'aws:TagKeys': ['a', 'b'] },
          Bool: { 'aws:MultiFactorAuthPresent': true },
          Null: { 'aws:TokenIssueTime': 'true' },
        },
      },
    ]),
    policy([{ ...allow, Resource: 'arn:aws:s3:::home/${aws:username}/*' }]),
  ])
    expect(lintPolicy(text)).toEqual([]);
});

describe('reports each mistake at its position', () => {
  const cases: [
    name: string,
    text: string,
    at: string,
    message: string,
    tone?: 'warn' | 'risk' | 'danger',
  ][] = [
    ['syntax', '{"Version": "2012-10-17",}', '}', 'A key in double quotes is missing.'],
    ['no object', '[1]', '[', 'A policy document is a JSON object'],
    ['no Version', policy([allow], {}), '{', 'Version is missing', 'warn'],
    [
      'a Version of today',
      policy([allow], { Version: '2026-01-01' }),
      '"2026',
      'Version is the date of the policy language',
    ],
    ['no Statement', '{"Version": "2012-10-17"}', '{', 'Statement is missing'],
    ['an empty list', policy([]), '[]', 'it allows nothing', 'warn'],
    [
      'a misspelt element',
      policy([allow], { Version: '2012-10-17', statements: [] }),
      '"statements"',
      'Write Statement.',
    ],
    [
      'an unknown element',
      policy([{ ...allow, Foo: 1 }]),
      '"Foo"',
      '"Foo" is not an element of a statement.',
    ],
    [
      'one that appears twice',
      `{"Version": "2012-10-17", "Statement": [${JSON.stringify(allow)}], "Version": "2008-10-17"}`,
      '"Version": "2008',
      'appears twice',
    ],
    ['no Effect', policy([{ Action: 'a:b', Resource: '*' }]), '{\n      "Action"', 'Effect is missing'],
    [
      'another Effect',
      policy([{ ...allow, Effect: 'allow' }]),
      '"allow"',
      'Effect must be exactly "Allow" or "Deny"',
    ],
    [
      'Action with NotAction',
      policy([{ ...allow, Effect: 'Deny', NotAction: 'a:b' }]),
      '"NotAction"',
      'Action or NotAction, not both',
    ],
    [
      'Resource with NotResource',
      policy([{ ...allow, Effect: 'Deny', NotResource: '*' }]),
      '"NotResource"',
      'not both',
    ],
    ['no Action', policy([{ Effect: 'Allow', Resource: '*' }]), '{\n      "Effect"', 'Action is missing'],
    ['no Resource', policy([{ Effect: 'Allow', Action: 'a:b' }]), '{\n      "Effect"', 'Resource is missing'],
    [
      'a Principal',
      policy([{ ...allow, Principal: { AWS: ['*'] } }]),
      '"Principal"',
      'a wildcard would name everyone',
    ],
    ['a Sid with space', policy([{ ...allow, Sid: 'a b' }]), '"a b"', 'can only contain letters and digits'],
    [
      'a Sid that another has',
      policy([
        { ...allow, Sid: 'A' },
        { ...allow, Sid: 'A' },
      ]),
      '"A"',
      'Another statement also has the Sid',
    ],
    [
      'an action without a service',
      policy([{ ...allow, Action: ['s3:Get*', 'GetObject'] }]),
      '"GetObject"',
      'Write service, colon and action',
    ],
    [
      'an action that is no text',
      policy([{ ...allow, Action: [7] }]),
      '7',
      'must be a string or a list of strings',
    ],
    ['no actions', policy([{ ...allow, Action: [] }]), '[]', 'The list is empty'],
    [
      'a resource that is not an ARN',
      policy([{ ...allow, Resource: 'logs/*' }]),
      '"logs/*"',
      'is not an ARN',
    ],
    [
      'everything',
      policy([{ ...allow, Action: '*', Resource: '*' }]),
      '{\n      "Effect"',
      'allows everything on everything',
      'risk',
    ],
    [
      'Allow with NotAction',
      policy([{ Effect: 'Allow', NotAction: 'iam:*', Resource: '*' }]),
      '"NotAction"',
      "every action that isn't listed",
      'risk',
    ],
    [
      'Allow with NotResource',
      policy([{ Effect: 'Allow', Action: 's3:*', NotResource: '*' }]),
      '"NotResource"',
      "every resource that isn't listed",
      'warn',
    ],
    [
      'all of IAM',
      policy([{ ...allow, Action: ['iam:*'], Resource: '*' }]),
      '"iam:*"',
      'iam:* lets the holder get any right, for example by iam:AttachGroupPolicy. List single resources.',
      'risk',
    ],
    [
      'a role that any service may get',
      policy([{ ...allow, Action: 'iam:passrole', Resource: 'arn:aws:iam::123456789012:role/*' }]),
      '"iam:passrole"',
      'iam:passrole lets the holder run services with the rights of any role',
      'risk',
    ],
    [
      'a pattern of risks',
      policy([{ ...allow, Action: 'lambda:Update*', Resource: '*' }]),
      '"lambda:Update*"',
      'lambda:Update* includes lambda:UpdateFunctionCode, lambda:UpdateFunctionConfiguration, which lets',
      'risk',
    ],
    [
      'a risk with a condition',
      policy([{ ...allow, Action: 'sts:AssumeRole', Resource: '*', Condition: { Bool: { k: 'true' } } }]),
      '"sts:AssumeRole"',
      'assume every role that trusts this account',
      'warn',
    ],
    [
      'a condition that is no object',
      policy([{ ...allow, Condition: 'x' }]),
      '"x"',
      'Condition is an object of operators',
    ],
    [
      'an unknown operator',
      policy([{ ...allow, Condition: { stringequals: { a: 'b' } } }]),
      '"stringequals"',
      'Write StringEquals.',
    ],
    [
      'an operator without keys',
      policy([{ ...allow, Condition: { Bool: 'true' } }]),
      '"true"',
      'an object of condition keys',
    ],
    [
      'a value that is an object',
      policy([{ ...allow, Condition: { Bool: { k: {} } } }]),
      '{}',
      'The value of k',
    ],
    ['a character beyond Latin-1', policy([{ ...allow, Resource: 'arn:aws:s3:::日/*' }]), '日', 'Latin-1'],
  ];
  test.each(cases)('%s', (_, text, at, message, tone = 'danger') => {
    const found = lintPolicy(text);
    expect(found.map((finding) => finding.message).join('\n')).toContain(message);
    const finding = found.find((one) => one.message.includes(message));
    expect(text.slice(finding?.offset)).toMatch(new RegExp(`^${RegExp.escape(at)}`));
    expect(finding?.tone).toBe(tone);
    const before = text.slice(0, finding?.offset);
    expect([finding?.line, finding?.column]).toEqual([
      before.split('\n').length,
      before.length - before.lastIndexOf('\n'),
    ]);
    expect(found).toHaveLength(1);
  });
});

test('checks only the size of a document of more than 100,000 characters', () => {
  const text = policy([{ ...allow, Effect: 'allow' }]);
  expect(lintPolicy(text.padEnd(100_000)).map(({ message }) => message)).toEqual([
    'Effect must be exactly "Allow" or "Deny".',
  ]);
  expect(lintPolicy(text.padEnd(100_001)).map(({ message }) => message)).toEqual([
    'Nothing else was checked, because the document has more than 100,000 characters.',
  ]);
});

test('actions on single resources, and in session policies, are no risk', () => {
  const single = 'arn:aws:iam::123456789012:user/${aws:username}';
  expect(lintPolicy(policy([{ ...allow, Action: 'iam:CreateAccessKey', Resource: single }]))).toEqual([]);
  const wide = policy([{ ...allow, Action: 'iam:*', Resource: '*' }]);
  expect(lintPolicy(wide, 'session').map(({ tone }) => tone)).toEqual(['warn']);
});

test('names unknown actions, and what was probably meant', () => {
  const Action = ['s3:GetObjct', 's3x:Get', 's3:GetObject'];
  const text = policy([
    { ...allow, Action },
    { Effect: 'Deny', NotAction: 'ec2:*', Resource: '*' },
  ]);
  expect(actionsIn(text)).toEqual([...Action, 'ec2:*']);
  expect(actionsIn('{"Statement":')).toEqual([]);
  const unknown = [
    { action: 's3:GetObjct', part: 'action', nearest: 's3:GetObject' },
    { action: 's3x:Get', part: 'service', nearest: null },
  ] as const;
  expect(lintPolicy(text, 'inline', unknown).map(({ message, tone }) => [message, tone])).toEqual([
    [`The provider's table has no action "s3:GetObjct". Did you mean s3:GetObject?`, 'warn'],
    [`The provider's table has no service "s3x".`, 'warn'],
  ]);
});

test('the size excludes whitespace between values', () => {
  const text = policy([{ ...allow, Resource: `arn:aws:s3:::${'a b'.repeat(20)}` }]);
  expect(policySize(text, 'inline')).toEqual({ size: JSON.stringify(JSON.parse(text)).length, limit: 2048 });
  const long = policy(Array.from({ length: 40 }, () => allow));
  expect(lintPolicy(long).map(({ message }) => message)).toEqual([
    expect.stringContaining('the limit is 2,048'),
  ]);
  expect(lintPolicy(long, 'managed')).toEqual([]);
});

test('accepts any text, and reports positions inside it', () => {
  const words = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"Version"',
    '"Statement"',
    '"Condition"',
    '"Effect"',
    '"*"',
    '1',
    'null',
    '\n',
    '\\',
  ];
  const json = fc.json().map((text) => text.replaceAll('""', '"Statement"'));
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    json,
    fc.array(fc.constantFrom(...words)).map((parts) => parts.join(' ')),
  );
  const statement = fc.record(
    Object.fromEntries(
      ['Sid', 'Effect', 'Principal', 'Action', 'NotAction', 'Resource', 'Condition'].map((name) => [
        name,
        fc.jsonValue(),
      ]),
    ),
    { requiredKeys: [] },
  );
  const document = fc
    .record({ Version: fc.jsonValue(), Statement: fc.oneof(statement, fc.array(statement)) })
    .map((value) => JSON.stringify(value, null, 1));
  fc.assert(
    fc.property(fc.oneof(text, document), (drawn) => {
      for (const { offset, line, column } of lintPolicy(drawn)) {
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(drawn.length);
        expect(drawn.split('\n')[line - 1]?.length).toBeGreaterThanOrEqual(column - 1);
      }
    }),
    { numRuns: 500 },
  );
});
