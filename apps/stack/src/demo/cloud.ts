import type { CloudSeed } from '@gatehouse/cloud-double/double';
import type { SecretsClient } from '../secrets-client.ts';

/** The initial users and roles of the demo's cloud provider. No request leaves the machine. */
export const providerSeed: CloudSeed = {
  users: {
    gatehouse: { keys: { AKIADEMOROOT00000001: 'demo/root/secret/which/opens/nothing/else' } },
    'ines.moreau': {},
    'release-pipeline': {},
  },
  groups: {
    readers: { attached: ['arn:aws:iam::aws:policy/ReadOnlyAccess'], written: {} },
    publishers: { attached: [], written: {} },
  },
  policies: ['arn:aws:iam::123456789012:policy/team-boundary'],
  roles: {
    'arn:aws:iam::123456789012:role/deploy-eu': 3600 * 4,
    'arn:aws:iam::123456789012:role/deploy-us': 3600 * 4,
    'arn:aws:iam::123456789012:role/reader': 3600,
  },
};

const document = (...statements: readonly object[]): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: statements });

const roles: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  deploy: {
    credential_type: 'assumed_role',
    role_arns: ['arn:aws:iam::123456789012:role/deploy-eu', 'arn:aws:iam::123456789012:role/deploy-us'],
    default_sts_ttl: '30m',
    max_sts_ttl: '2h',
  },
  'artifact-publisher': {
    credential_type: 'iam_user',
    policy_document: document(
      {
        Sid: 'PublishArtifacts',
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:GetObject'],
        Resource: 'arn:aws:s3:::artifacts-example/*',
      },
      {
        Sid: 'ListArtifacts',
        Effect: 'Allow',
        Action: 's3:ListBucket',
        Resource: 'arn:aws:s3:::artifacts-example',
      },
      {
        Sid: 'NeverDelete',
        Effect: 'Deny',
        Action: 's3:DeleteObject',
        Resource: 'arn:aws:s3:::artifacts-example/*',
      },
    ),
    iam_groups: ['publishers'],
    iam_tags: ['team=platform', 'purpose=releases'],
    user_path: '/pipelines/',
    permissions_boundary_arn: 'arn:aws:iam::123456789012:policy/team-boundary',
  },
  auditor: {
    credential_type: 'federation_token',
    policy_arns: ['arn:aws:iam::aws:policy/SecurityAudit', 'arn:aws:iam::aws:policy/ViewOnlyAccess'],
    default_sts_ttl: '1h',
    max_sts_ttl: '12h',
  },
  'reports-reader': {
    credential_type: 'assumed_role',
    role_arns: ['arn:aws:iam::123456789012:role/reader'],
    policy_document: document({
      Effect: 'Allow',
      Action: ['athena:GetQueryResults', 'athena:StartQueryExecution'],
      Resource: '*',
      Condition: { StringEquals: { 'aws:RequestedRegion': 'eu-central-1' } },
    }),
  },
  // Has an earlier server's parameters, which the console can convert: a policy doesn't say which credentials the
  // role issues.
  'old-backup': {
    policy: document({
      Sid: 'ReadBackups',
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:ListBucket'],
      Resource: ['arn:aws:s3:::backups-example', 'arn:aws:s3:::backups-example/*'],
    }),
  },
};

/**
 * Configures the cloud engine of a secrets server.
 * @param client signed in as an administrator
 * @param provider where IAM and STS answer
 */
export async function configureCloud(client: SecretsClient, provider: string): Promise<void> {
  await client.write('cloud/config/root', {
    access_key: 'AKIADEMOROOT00000001',
    secret_key: 'demo/root/secret/which/opens/nothing/else',
    region: 'eu-central-1',
    iam_endpoint: provider,
    sts_endpoint: provider,
  });
  await client.write('cloud/config/lease', { lease: '12h', lease_max: '72h' });
  for (const [name, role] of Object.entries(roles)) await client.write(`cloud/roles/${name}`, role);
}

/** Issues the credentials that pipelines and users have at the moment. */
export async function issueCredentials(client: SecretsClient): Promise<void> {
  for (const role of ['artifact-publisher', 'artifact-publisher', 'artifact-publisher', 'auditor'])
    await client.read(`cloud/creds/${role}`);
  await client.read('cloud/creds/deploy?role_arn=arn:aws:iam::123456789012:role/deploy-eu&ttl=1h');
}
