/** Statement templates; words in capitals are placeholders. */
import { documentOf } from '@gatehouse/record-merge/policy-document';

export interface StatementTemplate {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly statements: readonly object[];
}

const bucket = ['arn:aws:s3:::BUCKET', 'arn:aws:s3:::BUCKET/*'];

export const statementTemplates: readonly StatementTemplate[] = [
  {
    id: 'read-bucket',
    label: 'Read a bucket',
    detail: 'List the bucket and read every object',
    statements: [
      { Sid: 'ReadBucket', Effect: 'Allow', Action: ['s3:GetObject', 's3:ListBucket'], Resource: bucket },
    ],
  },
  {
    id: 'write-bucket',
    label: 'Read and write a bucket',
    detail: 'List, read, write and delete objects',
    statements: [
      {
        Sid: 'WriteBucket',
        Effect: 'Allow',
        Action: ['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
        Resource: bucket,
      },
    ],
  },
  {
    id: 'deploy-function',
    label: 'Deploy a function',
    detail: 'Update the code and publish versions of one Lambda function',
    statements: [
      {
        Sid: 'DeployFunction',
        Effect: 'Allow',
        Action: [
          'lambda:GetFunction',
          'lambda:PublishVersion',
          'lambda:UpdateAlias',
          'lambda:UpdateFunctionCode',
        ],
        Resource: 'arn:aws:lambda:REGION:ACCOUNT:function:FUNCTION',
      },
    ],
  },
  {
    id: 'deploy-service',
    label: 'Deploy a service',
    detail: 'Register task definitions and update one ECS service',
    statements: [
      {
        Sid: 'DeployService',
        Effect: 'Allow',
        Action: ['ecs:DescribeServices', 'ecs:UpdateService'],
        Resource: 'arn:aws:ecs:REGION:ACCOUNT:service/CLUSTER/SERVICE',
      },
      {
        Sid: 'RegisterTask',
        Effect: 'Allow',
        Action: ['ecs:DescribeTaskDefinition', 'ecs:RegisterTaskDefinition'],
        Resource: '*',
      },
      {
        Sid: 'PassTaskRole',
        Effect: 'Allow',
        Action: 'iam:PassRole',
        Resource: 'arn:aws:iam::ACCOUNT:role/TASKROLE',
        Condition: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
      },
    ],
  },
  {
    id: 'push-image',
    label: 'Push images',
    detail: 'Push to one ECR repository',
    statements: [
      { Sid: 'SignInToRegistry', Effect: 'Allow', Action: 'ecr:GetAuthorizationToken', Resource: '*' },
      {
        Sid: 'PushImage',
        Effect: 'Allow',
        Action: [
          'ecr:BatchCheckLayerAvailability',
          'ecr:CompleteLayerUpload',
          'ecr:InitiateLayerUpload',
          'ecr:PutImage',
          'ecr:UploadLayerPart',
        ],
        Resource: 'arn:aws:ecr:REGION:ACCOUNT:repository/REPOSITORY',
      },
    ],
  },
  {
    id: 'read-parameters',
    label: 'Read parameters',
    detail: 'Read SSM parameters under one path',
    statements: [
      {
        Sid: 'ReadParameters',
        Effect: 'Allow',
        Action: ['ssm:GetParameter', 'ssm:GetParameters', 'ssm:GetParametersByPath'],
        Resource: 'arn:aws:ssm:REGION:ACCOUNT:parameter/PATH/*',
      },
    ],
  },
  {
    id: 'one-region',
    label: 'Deny all other regions',
    detail: "Overrides any Allow. Doesn't deny global services such as IAM and STS",
    statements: [
      {
        Sid: 'OneRegion',
        Effect: 'Deny',
        NotAction: ['cloudfront:*', 'iam:*', 'route53:*', 'sts:*', 'support:*'],
        Resource: '*',
        Condition: { StringNotEquals: { 'aws:RequestedRegion': 'REGION' } },
      },
    ],
  },
];

/**
 * Appends statements to a document; a Sid that is taken gets a number.
 * @returns undefined if the text isn't a policy document
 */
export function withStatements(text: string, added: readonly object[]): string | undefined {
  const document = documentOf(text.trim() === '' ? '{"Version":"2012-10-17","Statement":[]}' : text);
  if (document === undefined) return undefined;
  const taken = new Set(document.statements.map((statement) => statement['Sid']));
  const free = (sid: string): string => {
    let name = sid;
    for (let number = 2; taken.has(name); number++) name = `${sid}${String(number)}`;
    return name;
  };
  const named = added.map((statement) =>
    'Sid' in statement && typeof statement.Sid === 'string'
      ? { ...statement, Sid: free(statement.Sid) }
      : statement,
  );
  const members = Object.fromEntries(document.members);
  return JSON.stringify({ ...members, Statement: [...document.statements, ...named] }, null, 2);
}

/** The position of the first placeholder that a template left; undefined if none. */
export function firstBlank(text: string): number | undefined {
  return /(?<![A-Z0-9])(?:BUCKET|REGION|ACCOUNT|FUNCTION|CLUSTER|SERVICE|TASKROLE|REPOSITORY|PATH)(?![A-Z0-9])/.exec(
    text,
  )?.index;
}
