import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Wire } from '../../testing/client.ts';
import {
  boundary,
  document,
  outcome,
  readOnly,
  roleX,
  roleY,
  roleZ,
  rootKey,
  startCloudServer,
  usersOf,
} from '../../testing/cloud.ts';
import type { CloudServer } from '../../testing/cloud.ts';
import { as, tokenWith } from '../../testing/people.ts';

let server: CloudServer;
let admin: Client;
beforeAll(async () => {
  server = await startCloudServer();
  admin = server.admin;
  await admin.write('sys/policies/acl/cloud', {
    policy: 'path "cloud/*" { capabilities = ["read"] }',
  });
  await role('user', { credential_type: 'iam_user', policy_document: document });
  await role('session', {
    credential_type: 'assumed_role',
    role_arns: [roleX, roleY],
    default_sts_ttl: 1800,
    max_sts_ttl: '1h',
  });
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => {
  server.cloud.inject = undefined;
});

const role = async (name: string, body: Wire): Promise<void> => {
  expect((await admin.write(`cloud/roles/${name}`, body)).status).toBeLessThan(300);
};
/** The parameters of the latest call of an action. */
const lastCall = (action: string) =>
  server.cloud.calls.findLast((call) => call.action === action)?.parameters;

describe('an IAM user', () => {
  test('is created as its role specifies, and is removed with its renewable lease', async () => {
    await role('deploy', {
      credential_type: 'iam_user',
      policy_arns: readOnly,
      policy_document: document,
      iam_groups: ['g1'],
      iam_tags: ['team=web', 'cost=a=b'],
      user_path: '/apps/',
      permissions_boundary_arn: boundary,
    });
    await admin.write('cloud/config/lease', { lease: '30m', lease_max: '1h' });
    const { body, data } = await admin.read('cloud/creds/deploy');
    expect(body).toMatchObject({ lease_duration: 1800, renewable: true, warnings: null });
    expect(body['lease_id']).toMatch(/^cloud\/creds\/deploy\/[0-9A-Za-z]{24}$/);
    const [name = ''] = usersOf(server.cloud);
    expect(name).toMatch(/^vault-userpass-admin-deploy-\d{10}-[0-9A-Za-z]{16}$/);
    expect(server.cloud.dump()[name]).toEqual({
      path: '/apps/',
      boundary,
      tags: { team: 'web', cost: 'a=b' },
      keys: [data['access_key']],
      attached: [readOnly],
      written: { [name]: document },
      groups: ['g1'],
    });
    expect(data).toEqual({
      access_key: expect.any(String),
      secret_key: expect.any(String),
      security_token: null,
    });

    const lease_id = body['lease_id'];
    server.clock.advance(600_000);
    const renewed = await admin.write('sys/leases/renew', { lease_id, increment: '2h' });
    expect(renewed.body['lease_duration']).toBe(3000);
    // By the engine's current settings, whatever the last renewal asked for.
    await admin.write('sys/leases/renew', { lease_id, increment: 5 });
    expect((await admin.write('sys/leases/renew', { lease_id })).body['lease_duration']).toBe(1800);
    await admin.write('cloud/config/lease', { lease: '20m', lease_max: '40m' });
    expect((await admin.write('sys/leases/renew', { lease_id })).body['lease_duration']).toBe(1200);
    const most = await admin.write('sys/leases/renew', { lease_id, increment: '2h' });
    expect(most.body['lease_duration']).toBe(1800);
    await admin.write('cloud/config/lease', { lease: '30m', lease_max: '1h' });
    const looked = await admin.write('sys/leases/lookup', { lease_id });
    expect(looked.data).toMatchObject({ path: 'cloud/creds/deploy', ttl: 1800 });
    expect((await admin.write('sys/leases/revoke', { lease_id, sync: true })).status).toBe(204);
    expect(Object.keys(server.cloud.dump())).toEqual(['root', 'somebody']);
  });

  test('gets a name of at most 64 valid characters', async () => {
    const long = 'a'.repeat(100);
    await role(long, { credential_type: 'iam_user', policy_document: document });
    const token = await tokenWith(admin, { policies: ['cloud'], display_name: 'Ä person/of us' });
    const { body } = await server.with(token).read(`cloud/sts/${long}`);
    const [name = ''] = usersOf(server.cloud);
    expect(name).toMatch(/^vault-token-[\w-]+-a+-\d{10}-\w{16}$/);
    expect(name).toHaveLength(64);
    await admin.write('sys/leases/revoke', { lease_id: body['lease_id'], sync: true });
    expect(usersOf(server.cloud)).toEqual([]);
  });

  test('is issued with a warning if the request has a TTL or a role ARN, which are ignored', async () => {
    const answer = await admin.write('cloud/creds/user', { ttl: '1h', role_arn: roleX, more: 1 });
    expect(answer.body['warnings']).toEqual([
      '"ttl" has no effect on credentials of type iam_user',
      '"role_arn" has no effect on credentials of type iam_user',
      'Endpoint ignored these unrecognized parameters: [more]',
    ]);
    await admin.write('sys/leases/revoke-prefix/cloud');
    expect(usersOf(server.cloud)).toEqual([]);
  });

  test("lasts as long as the mount's default if the engine has none, and never longer than the mount's maximum", async () => {
    const config = { default_lease_ttl: 600, max_lease_ttl: 1200 };
    await admin.write('sys/mounts/tuned', { type: 'cloud', config });
    await admin.write('tuned/config/root', (await rootAt('cloud')).fields);
    await admin.write('tuned/roles/r', { credential_type: 'iam_user', policy_arns: readOnly });
    expect((await admin.read('tuned/creds/r')).body['lease_duration']).toBe(600);
    await admin.write('tuned/config/lease', { lease: '5h', lease_max: '9h' });
    expect((await admin.read('tuned/creds/r')).body['lease_duration']).toBe(1200);
    expect((await admin.delete('sys/mounts/tuned')).status).toBe(204);
    expect(usersOf(server.cloud)).toEqual([]);
  });

  test('is not issued to a token with one use left', async () => {
    const token = await tokenWith(admin, { policies: ['cloud'], num_uses: 1 });
    expect((await server.with(token).read('cloud/creds/user')).status).toBe(400);
    expect(usersOf(server.cloud)).toEqual([]);
  });
});

test('a role is assumed with its external ID and session tags', async () => {
  const assumed = { credential_type: 'assumed_role', role_arns: roleZ };
  await role('partner', { ...assumed, external_id: 'partner-6', session_tags: { team: 'web', cost: 'a=b' } });
  expect(outcome(await admin.read('cloud/creds/partner'))).toEqual([
    400,
    [expect.stringMatching(/^Error assuming role: AccessDenied/)],
  ]);
  await role('partner', { external_id: 'partner-7' });
  expect((await admin.read('cloud/creds/partner')).status).toBe(200);
  expect(lastCall('AssumeRole')).toMatchObject({
    ExternalId: 'partner-7',
    'Tags.member.1.Key': 'team',
    'Tags.member.1.Value': 'web',
    'Tags.member.2.Key': 'cost',
    'Tags.member.2.Value': 'a=b',
  });
  await role('unmarked', { ...assumed, role_arns: roleX });
  expect((await admin.read('cloud/creds/unmarked')).status).toBe(200);
  expect(
    Object.keys(lastCall('AssumeRole') ?? {}).filter((name) => /^(?:ExternalId|Tags)/.test(name)),
  ).toEqual([]);
});

describe('when the provider fails', () => {
  const failing =
    (action: string, effect: 'before' | 'after', answer?: { status: number; code: string }) => () => {
      server.cloud.inject = (call) =>
        call.action === action ? { effect, ...(answer !== undefined && { answer }) } : undefined;
    };

  test.each([
    [
      'PutUserPolicy',
      'before',
      { status: 403, code: 'AccessDenied' },
      400,
      'putting user policy: AccessDenied',
    ],
    ['CreateUser', 'before', { status: 403, code: 'AccessDenied' }, 400, 'creating IAM user: AccessDenied'],
    ['CreateAccessKey', 'after', { status: 500, code: 'Failure' }, 502, 'creating access keys: Failure'],
    [
      'CreateUser',
      'after',
      undefined,
      502,
      "creating IAM user: the provider doesn't respond \\(ECONNRESET\\)",
    ],
    [
      'CreateUser',
      'before',
      undefined,
      502,
      "creating IAM user: the provider doesn't respond \\(ECONNRESET\\)",
    ],
  ] as const)(
    'at %s (%s its effect) with %j, nothing is left there',
    async (action, effect, answer, status, why) => {
      failing(action, effect, answer)();
      const refused = await admin.read('cloud/creds/user');
      expect(refused.status).toBe(status);
      expect(refused.body['errors']).toEqual([expect.stringMatching(new RegExp(`^Error ${why}[^;]*$`))]);
      expect(usersOf(server.cloud)).toEqual([]);
    },
  );

  test('at every other call, one user with one key is created, and retries leave nothing behind', async () => {
    for (const effect of ['before', 'after'] as const) {
      const counts = new Map<string, number>();
      server.cloud.inject = ({ action }) => {
        const count = (counts.get(action) ?? 0) + 1;
        counts.set(action, count);
        return count % 2 === 1 ? { effect } : undefined;
      };
      const { status, data, body } = await admin.read('cloud/creds/user');
      expect(status).toBe(200);
      const users = Object.values(server.cloud.dump()).filter(
        ({ written }) => Object.keys(written).length > 0,
      );
      expect(users.map(({ keys }) => keys)).toEqual([[data['access_key']]]);
      expect(
        (await admin.write('sys/leases/revoke', { lease_id: body['lease_id'], sync: true })).status,
      ).toBe(204);
      expect(usersOf(server.cloud)).toEqual([]);
    }
  });

  test("and the user can't be removed, the answer names the user, who is removed later", async () => {
    server.cloud.inject = ({ action }) =>
      action === 'CreateUser'
        ? undefined
        : { effect: 'before', answer: { status: 403, code: 'AccessDenied' } };
    const refused = await admin.read('cloud/creds/user');
    const [name = ''] = usersOf(server.cloud);
    expect(outcome(refused)).toEqual([
      400,
      [
        `Error putting user policy: AccessDenied: Injected.; the user "${name}" remains until it can be removed`,
      ],
    ]);
    server.cloud.inject = undefined;
    server.clock.advance(1000);
    await expect.poll(() => usersOf(server.cloud)).toEqual([]);
  });

  test('with EntityAlreadyExists at the first attempt, the user of that name is kept', async () => {
    const before = server.cloud.dump();
    server.cloud.inject = ({ action }) =>
      action === 'CreateUser'
        ? { effect: 'before', answer: { status: 409, code: 'EntityAlreadyExists' } }
        : undefined;
    const calls = server.cloud.calls.length;
    expect((await admin.read('cloud/creds/user')).status).toBe(400);
    expect(server.cloud.calls.slice(calls).map(({ action }) => action)).toEqual(['CreateUser']);
    expect(server.cloud.dump()).toEqual(before);
  });

  test('the message does not repeat the secret key', async () => {
    server.cloud.inject = () => ({
      effect: 'before',
      answer: { status: 403, code: 'SignatureDoesNotMatch' },
    });
    expect(outcome(await admin.read('cloud/sts/session?role_arn=' + roleX))).toEqual([
      400,
      ["Error assuming role: SignatureDoesNotMatch: the secret key is not the access key's"],
    ]);
  });
});

test('users take turns at an engine, four requests at once, and 64 of one wait', async () => {
  const operator = await as(server, 'operator');
  const release = Promise.withResolvers<undefined>();
  const calls = () => server.cloud.calls.filter(({ action }) => action === 'CreateUser').length;
  const before = calls();
  server.cloud.inject = () => release.promise;
  const asked = Array.from({ length: 4 + 64 + 1 }, () => operator.read('cloud/creds/user'));
  const refused = await Promise.race(asked);
  expect([outcome(refused), refused.headers.get('retry-after')]).toEqual([
    [429, ['Too many of your requests of this kind are already waiting. Send this one when they are done.']],
    '30',
  ]);
  expect(calls() - before).toBe(4);
  const other = admin.read('cloud/creds/user');
  await expect.poll(() => calls() - before).toBe(5);
  release.resolve(undefined);
  expect((await other).status).toBe(200);
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(4 + 64);
  await admin.write('sys/leases/revoke-prefix/cloud/creds/user', { sync: true });
});

test("a user's large requests keep their turns until they are answered", async () => {
  const operator = await as(server, 'operator');
  const release = Promise.withResolvers<undefined>();
  const calls = () => server.cloud.calls.filter(({ action }) => action === 'AssumeRole').length;
  const before = calls();
  server.cloud.inject = () => release.promise;
  const large = (by: Client, path: string, body: Wire) =>
    by.write(path, `${JSON.stringify(body)}${' '.repeat(2 ** 20)}`);
  const held = [1, 2].map(() => large(operator, 'cloud/sts/session', { role_arn: roleX }));
  await expect.poll(() => calls() - before).toBe(2);
  let isAnswered = false;
  const third = large(operator, 'cloud/sts/session', {}).finally(() => (isAnswered = true));
  for (let round = 0; round < 3; round += 1)
    expect((await large(admin, 'cloud/config/lease', { lease: '30m', lease_max: '1h' })).status).toBe(204);
  expect(isAnswered).toBe(false);
  release.resolve(undefined);
  const statuses = (await Promise.all([...held, third])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 400]);
});

describe('an assumed role', () => {
  test("returns the provider's credentials with a lease that can't be renewed", async () => {
    const { body, data } = await admin.read(`cloud/sts/session?role_arn=${roleX}`);
    expect(body).toMatchObject({ lease_duration: 1800, renewable: false });
    expect(body['lease_id']).toMatch(/^cloud\/sts\/session\//);
    expect(data).toEqual({
      access_key: expect.stringMatching(/^ASIA/),
      secret_key: expect.any(String),
      security_token: expect.any(String),
      arn: expect.stringMatching(
        /^arn:aws:sts::123456789012:assumed-role\/x\/vault-userpass-admin-session-\d{10}-\w{16}$/,
      ),
      ttl: 1800,
    });
    const lease_id = body['lease_id'];
    expect(outcome(await admin.write('sys/leases/renew', { lease_id }))).toEqual([
      400,
      ['lease is not renewable'],
    ]);
    expect((await admin.write('sys/leases/revoke', { lease_id })).status).toBe(204);
  });

  test("truncates a session's name to 64 characters and replaces invalid ones", async () => {
    const name = `me & you/${'x'.repeat(80)}`;
    const { data } = await admin.write('cloud/creds/session', { role_arn: roleY, role_session_name: name });
    expect(data['arn']).toBe(`arn:aws:sts::123456789012:assumed-role/y/me___you_${'x'.repeat(55)}`);
    // Cut first, so that only what is kept is replaced: each of these letters has two characters.
    const letters = '𝔸'.repeat(64);
    const other = await admin.write('cloud/creds/session', { role_arn: roleY, role_session_name: letters });
    expect(other.data['arn']).toBe(`arn:aws:sts::123456789012:assumed-role/y/${'_'.repeat(32)}`);
  });

  test.each([
    ['', 1800],
    ['&ttl=900s', 900],
    ['&ttl=1h', 3600],
    ['&ttl=9h', 3600],
  ])('with the query %j lasts %i seconds', async (query, ttl) => {
    const { body, data } = await admin.read(`cloud/creds/session?role_arn=${roleX}${query}`);
    expect([data['ttl'], body['lease_duration'], lastCall('AssumeRole')?.['DurationSeconds']]).toEqual([
      ttl,
      ttl,
      String(ttl),
    ]);
  });

  test('must be one of those in the role', async () => {
    const ask = async (query: string) => outcome(await admin.read(`cloud/creds/session${query}`));
    expect(await ask('')).toEqual([400, ['did not supply a role_arn parameter and unable to determine one']]);
    expect(await ask('?role_arn=zzz')).toEqual([
      400,
      ['role_arn "zzz" not in allowed role arns for Vault role "session"'],
    ]);
    await role('one', { credential_type: 'assumed_role', role_arns: [roleY] });
    const { data } = await admin.read('cloud/creds/one');
    expect([data['arn'], data['ttl']]).toEqual([expect.stringContaining('/y/'), 3600]);
    expect(outcome(await admin.read('cloud/creds/one?ttl=1s'))).toEqual([
      400,
      [expect.stringMatching(/^Error assuming role: ValidationError: Value '1' at 'durationSeconds'/)],
    ]);
  });
});

describe('a federation token', () => {
  test('is limited by the policies of the role and of its groups', async () => {
    await role('fed', {
      credential_type: 'federation_token',
      policy_document: document,
      policy_arns: [readOnly],
      iam_groups: 'g1',
    });
    const { body, data } = await admin.write('cloud/sts/fed', { ttl: 900 });
    expect(data).toEqual({
      access_key: expect.stringMatching(/^ASIA/),
      secret_key: expect.any(String),
      security_token: expect.any(String),
      ttl: 900,
    });
    expect(body).toMatchObject({ lease_duration: 900, renewable: false });
    const { Name = '', Policy = '', ...sent } = lastCall('GetFederationToken') ?? {};
    expect(Name).toMatch(/^vault-\d{10}-\w{15}$/);
    expect(JSON.parse(Policy)).toEqual({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: 'ec2:*', Resource: '*' },
        { Effect: 'Deny', Action: 'iam:*' },
      ],
    });
    expect(sent).toMatchObject({
      'PolicyArns.member.1.arn': readOnly,
      'PolicyArns.member.2.arn': 'arn:aws:iam::aws:policy/SecurityAudit',
    });
    expect(sent).not.toHaveProperty('PolicyArns.member.3.arn');
  });

  test("has the role's document unchanged if the role has no groups", async () => {
    await role('plain', { credential_type: 'federation_token', policy_document: document });
    await admin.read('cloud/creds/plain');
    expect(lastCall('GetFederationToken')).toMatchObject({ Policy: document, DurationSeconds: '3600' });
  });

  test('is refused with the name of a group that does not exist', async () => {
    const iam_groups = ['nobodys'];
    await role('lost', { credential_type: 'federation_token', policy_document: document, iam_groups });
    expect(outcome(await admin.read('cloud/creds/lost'))).toEqual([
      400,
      ['Error reading the policies of groups: NoSuchEntity: The group with name nobodys cannot be found.'],
    ]);
  });
});

describe('a legacy role', () => {
  const wrong = (type: string, path: string) => [
    400,
    [
      `attempted to retrieve ${type} credentials through the ${path} path; this is not allowed for legacy roles`,
    ],
  ];

  test('issues users at creds and sessions at sts', async () => {
    await role('l1', { arn: readOnly });
    await role('l2', { arn: roleX });
    await role('l3', { policy: document });
    const ask = async (path: string) => outcome(await admin.read(`cloud/${path}`));
    expect(await ask('creds/l1')).toEqual([200]);
    expect(await ask('sts/l1')).toEqual(wrong('iam_user', 'sts'));
    expect(await ask('creds/l2')).toEqual(wrong('assumed_role', 'creds'));
    expect(await ask('sts/l2')).toEqual([200]);
    expect((await admin.read('cloud/creds/l3')).data['security_token']).toBeNull();
    expect((await admin.read('cloud/sts/l3')).data['security_token']).toEqual(expect.any(String));
    // A role written with current parameters issues users at both paths.
    await role('l1', { credential_type: 'iam_user' });
    expect(await ask('sts/l1')).toEqual([200]);
    await admin.write('sys/leases/revoke-prefix/cloud');
    expect(usersOf(server.cloud)).toEqual([]);
  });
});

test('invalid requests are refused without a call to the provider', async () => {
  const calls = server.cloud.calls.length;
  expect(outcome(await admin.read('cloud/creds/none'))).toEqual([400, ['Role "none" not found']]);
  expect((await admin.read('cloud/creds/user?ttl=x')).status).toBe(400);
  expect((await admin.read('cloud/creds/user?ttl=-1')).status).toBe(400);
  expect((await admin.read('cloud/creds/')).status).toBe(404);
  expect((await admin.delete('cloud/creds/user')).status).toBe(405);
  expect((await admin.send('HEAD', 'cloud/creds/user')).status).toBe(405);
  expect((await server.anonymous.read('cloud/creds/user')).status).toBe(403);
  expect(server.cloud.calls).toHaveLength(calls);
});

describe('credentials of the engine', () => {
  test('are those of the configuration, or else of the environment', async () => {
    const environment: Record<string, string> = {};
    await using other = await startCloudServer({ cloudEnvironment: environment });
    await other.admin.write('cloud/roles/r', { credential_type: 'iam_user', policy_arns: readOnly });
    const { access_key: _key, secret_key: _secret, ...endpoints } = (await rootAt('cloud')).fields;
    const keyOf = async () => {
      const answer = await other.admin.read('cloud/creds/r');
      return [answer.status, server.cloud.calls.at(-1)?.keyId];
    };
    await other.admin.write('cloud/config/root', endpoints);
    Object.assign(environment, { CLOUD_ACCESS_KEY: 'AKIAUNKNOWN', CLOUD_SECRET_KEY: 's' });
    expect(await keyOf()).toEqual([400, 'AKIAUNKNOWN']);
    Object.assign(environment, { CLOUD_ACCESS_KEY: 'AKIASOMEBODYSOMEBODY', CLOUD_REGION: 'eu-west-1' });
    await other.admin.write('cloud/config/root', { ...endpoints, max_retries: 0 });
    expect(await keyOf()).toEqual([200, 'AKIASOMEBODYSOMEBODY']);
    // A namespace's administrators must not use the server's own credentials.
    await other.admin.write('sys/namespaces/team');
    await other.admin.write('team/sys/mounts/cloud', { type: 'cloud' });
    await other.admin.write('team/cloud/config/root', endpoints);
    await other.admin.write('team/cloud/roles/r', { credential_type: 'iam_user', policy_arns: readOnly });
    expect(outcome(await other.admin.read('team/cloud/creds/r'))).toEqual([
      400,
      ['an engine in a namespace needs access_key and secret_key in config/root'],
    ]);
    await other.admin.write('cloud/config/root', { ...endpoints, access_key: rootKey.id, secret_key: 's' });
    expect(await keyOf()).toEqual([200, rootKey.id]);
    await other.admin.write('sys/leases/revoke-prefix/cloud', { sync: true });
    expect(usersOf(server.cloud)).toEqual([]);
  });
});

/** The root configuration of an engine as the tests write it. */
async function rootAt(mount: string) {
  const { data } = await admin.read(`${mount}/config/root`);
  return { fields: { ...data, access_key: rootKey.id, secret_key: rootKey.secret } };
}
