import {
  CreateAccessKeyCommand,
  CreateGroupCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  IAMClient,
  ListAccessKeysCommand,
  ListUsersCommand,
  PutGroupPolicyCommand,
} from '@aws-sdk/client-iam';
import { hasMoto, startMoto } from '@gatehouse/service-kit/testing/moto';
import { expect, test } from 'vitest';
import { document, shortTimes } from '../../testing/cloud.ts';
import { as } from '../../testing/people.ts';
import { startServer } from '../../testing/server.ts';

if (!hasMoto)
  process.stderr.write(
    '\n*** NOT TESTED: moto is not installed here; the cloud engine is tested against our own double alone. ***\n\n',
  );

test.runIf(hasMoto)('works with an independent emulator of the provider', async () => {
  await using moto = await startMoto();
  const iam = new IAMClient({
    region: 'us-east-1',
    endpoint: moto.url,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const UserName = 'engine';
  await iam.send(new CreateUserCommand({ UserName }));
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
  await iam.send(new CreateGroupCommand({ GroupName: 'g' }));
  const inline = { GroupName: 'g', PolicyName: 'p', PolicyDocument: document };
  await iam.send(new PutGroupPolicyCommand(inline));
  const policy = await iam.send(new CreatePolicyCommand({ PolicyName: 'own', PolicyDocument: document }));
  const assumable = { RoleName: 'x', AssumeRolePolicyDocument: document };
  const role = await iam.send(new CreateRoleCommand(assumable));
  const users = async () =>
    (await iam.send(new ListUsersCommand({}))).Users?.map((user) => user.UserName ?? '');

  await using server = await startServer({ cloudTimes: shortTimes, cloudEnvironment: {} });
  const admin = await as(server, 'administrator');
  await admin.write('sys/mounts/cloud', { type: 'cloud' });
  await admin.write('cloud/config/root', {
    access_key: AccessKey?.AccessKeyId,
    secret_key: AccessKey?.SecretAccessKey,
    iam_endpoint: moto.url,
    sts_endpoint: moto.url,
  });
  await admin.write('cloud/roles/user', {
    credential_type: 'iam_user',
    policy_document: document,
    policy_arns: policy.Policy?.Arn,
    iam_groups: 'g',
    iam_tags: 'a=b',
    user_path: '/p/',
  });
  await admin.write('cloud/roles/session', {
    credential_type: 'assumed_role',
    role_arns: role.Role?.Arn,
    policy_document: document,
    iam_groups: 'g',
  });
  await admin.write('cloud/roles/federated', {
    credential_type: 'federation_token',
    policy_document: document,
  });

  const issued = await admin.read('cloud/creds/user');
  const made = (await users())?.find((name) => name.startsWith('vault-'));
  const keys = await iam.send(new ListAccessKeysCommand({ UserName: made }));
  expect(keys.AccessKeyMetadata).toMatchObject([{ AccessKeyId: issued.data['access_key'] }]);
  const session = await admin.read('cloud/sts/session?role_session_name=me&ttl=1800');
  expect(session.data).toMatchObject({ arn: 'arn:aws:sts::123456789012:assumed-role/x/me', ttl: 1800 });
  expect((await admin.read('cloud/sts/federated')).data).toMatchObject({
    security_token: expect.any(String),
    ttl: 3600,
  });

  const revoked = { lease_id: issued.body['lease_id'], sync: true };
  expect((await admin.write('sys/leases/revoke', revoked)).status).toBe(204);
  expect(await users()).toEqual([UserName]);
  const rotated = await admin.write('cloud/config/rotate-root');
  expect(rotated.status).toBe(200);
  const left = await iam.send(new ListAccessKeysCommand({ UserName }));
  expect(left.AccessKeyMetadata).toMatchObject([{ AccessKeyId: rotated.data['access_key'] }]);
  iam.destroy();
});
