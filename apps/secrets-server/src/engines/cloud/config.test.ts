import { WriteQueue, currentAsker } from '@gatehouse/service-kit/write-queue';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client, Wire } from '../../testing/client.ts';
import { document, outcome, readOnly, roleX, startCloudServer } from '../../testing/cloud.ts';
import type { CloudServer } from '../../testing/cloud.ts';
import { as } from '../../testing/people.ts';

let server: CloudServer;
let admin: Client;
beforeAll(async () => {
  server = await startCloudServer({
    seed: {
      keyValueMounts: ['secret/'],
      cloudMounts: [
        {
          path: 'aws/',
          root: { access_key: 'AKIASEED', secret_key: 's' },
          lease: { lease: '1h', lease_max: '2h' },
          roles: {
            plain: { credential_type: 'iam_user', policy_arns: [readOnly] },
            old: `{"Statement": []}`,
            broken: '{"Statement"',
            odd: 'arn:aws:s3:::bucket',
          },
        },
      ],
    },
  });
  admin = server.admin;
  await admin.write('sys/mounts/fresh', { type: 'cloud' });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('config/root', () => {
  test('is replaced as a whole, and never returns the secret key', async () => {
    expect(outcome(await admin.read('fresh/config/root'))).toEqual([404, []]);
    const first = {
      access_key: 'AKIA1',
      secret_key: 'canary',
      region: 'eu-west-1',
      iam_endpoint: 'http://127.0.0.1:1',
      sts_endpoint: 'https://sts.example/x',
      max_retries: '7',
    };
    expect((await admin.write('fresh/config/root', first)).status).toBe(204);
    const { secret_key: _secret, ...shown } = first;
    const read = await admin.read('fresh/config/root');
    expect(read.data).toEqual({ ...shown, max_retries: 7 });
    expect(read.text).not.toContain('canary');
    expect((await admin.write('fresh/config/root', {})).status).toBe(204);
    expect((await admin.read('fresh/config/root')).data).toEqual({
      access_key: '',
      region: '',
      iam_endpoint: '',
      sts_endpoint: '',
      max_retries: -1,
    });
    const warned = await admin.write('fresh/config/root', { username_template: 'x' });
    expect(warned.body['warnings']).toEqual([
      'Endpoint ignored these unrecognized parameters: [username_template]',
    ]);
  });

  test.each([
    { access_key: 'a' },
    { secret_key: 's' },
    { iam_endpoint: 'file:///etc/passwd' },
    { sts_endpoint: 'somewhere' },
    { max_retries: -2 },
    { max_retries: 'many' },
  ])('refuses %j and keeps the previous configuration', async (body) => {
    const before = (await admin.read('aws/config/root')).data;
    expect((await admin.write('aws/config/root', body)).status).toBe(400);
    expect((await admin.read('aws/config/root')).data).toEqual(before);
  });
});

test('config/lease accepts durations with units up to hours', async () => {
  expect(outcome(await admin.read('fresh/config/lease'))).toEqual([404, []]);
  const write = async (lease?: unknown, lease_max?: unknown) =>
    outcome(await admin.write('fresh/config/lease', { lease, lease_max }));
  expect(await write()).toEqual([400, ["'lease' is a required parameter"]]);
  expect(await write('30m')).toEqual([400, ["'lease_max' is a required parameter"]]);
  expect(await write('30m', 'x')).toEqual([400, ['Invalid lease_max: time: invalid duration "x"']]);
  expect(await write('1d', '2h')).toEqual([400, ['Invalid lease: time: unknown unit "d" in duration "1d"']]);
  expect(await write(90, '2h')).toEqual([400, ['Invalid lease: time: missing unit in duration "90"']]);
  expect(await write('-1h', '2h')).toEqual([400, ['Invalid lease: time: invalid duration "-1h"']]);
  // Would take hours with a pattern that backtracks.
  const long = `${'1'.repeat(98)}..`;
  expect(await write(long, '2h')).toEqual([400, [`Invalid lease: time: invalid duration "${long}"`]]);
  expect(await write(`1${long}`, '2h')).toEqual([
    400,
    ['Invalid lease: time: invalid duration: more than 100 characters'],
  ]);
  expect(await write('1h30m', '100h')).toEqual([204]);
  expect((await admin.read('fresh/config/lease')).data).toEqual({ lease: '1h30m0s', lease_max: '100h0m0s' });
});

describe('a role', () => {
  const write = (name: string, body: Wire) => admin.write(`cloud/roles/${name}`, body);
  const read = async (name: string) => (await admin.read(`cloud/roles/${name}`)).data;
  const empty = {
    default_sts_ttl: 0,
    external_id: '',
    iam_groups: null,
    iam_tags: null,
    max_sts_ttl: 0,
    permissions_boundary_arn: '',
    policy_arns: null,
    policy_document: '',
    role_arns: null,
    session_tags: null,
    user_path: '',
  };

  test('is created, updated field by field, listed and deleted', async () => {
    expect((await admin.list('cloud/roles')).status).toBe(404);
    const spaced =
      ' { "Version" : "2012-10-17", "Statement": [ {"Effect":"Allow",\n"Action":"ec2:*","Resource":"*"} ] }';
    expect((await write('a', { credential_type: 'iam_user', policy_document: spaced })).status).toBe(204);
    expect(await read('a')).toEqual({ ...empty, credential_type: 'iam_user', policy_document: document });
    const more = {
      policy_arns: ` ${readOnly}, arn:b ,`,
      iam_groups: ['g1', 'g2'],
      iam_tags: { team: 'web' },
      user_path: '/p/',
      permissions_boundary_arn: readOnly,
    };
    expect((await write('a', more)).status).toBe(204);
    expect(await read('a')).toEqual({
      ...empty,
      ...more,
      credential_type: 'iam_user',
      policy_arns: [readOnly, 'arn:b'],
      policy_document: document,
    });
    expect((await write('a', { iam_groups: [], iam_tags: '', policy_document: '' })).status).toBe(204);
    expect(await read('a')).toMatchObject({ iam_groups: null, iam_tags: null, policy_document: '' });
    await write('b.c-d@e', { credential_type: 'assumed_role', role_arns: roleX, default_sts_ttl: '15m' });
    expect(await read('b.c-d@e')).toEqual({
      ...empty,
      credential_type: 'assumed_role',
      role_arns: [roleX],
      default_sts_ttl: 900,
    });
    expect((await admin.list('cloud/roles')).data).toEqual({ keys: ['a', 'b.c-d@e'] });
    expect((await admin.delete('cloud/roles/a')).status).toBe(204);
    expect(outcome(await admin.delete('cloud/roles/a'))).toEqual([404, []]);
    expect(outcome(await admin.read('cloud/roles/a'))).toEqual([404, []]);
  });

  test.each([
    { team: 'web', cost: 7, billed: true },
    ['team=web', 'cost=7', 'billed=true'],
    'team=web, cost=7,billed=true',
    ' {"team":"web","cost":7,"billed":true}',
  ])('accepts tags written as %j', async (tags) => {
    await write('tagged', { ...user, iam_tags: tags });
    const expected = { team: 'web', cost: '7', billed: 'true' };
    expect(await read('tagged')).toMatchObject({ iam_tags: expected, session_tags: null });
    const assumed = { credential_type: 'assumed_role', role_arns: roleX, external_id: ' partner-7 ' };
    await write('assumed', { ...assumed, session_tags: tags });
    expect(await read('assumed')).toMatchObject({ session_tags: expected, external_id: 'partner-7' });
    await write('assumed', { session_tags: {}, external_id: '' });
    expect(await read('assumed')).toMatchObject({ session_tags: null, external_id: '' });
  });

  const user = { credential_type: 'iam_user', policy_arns: readOnly };
  test.each<[Wire, ...string[]]>([
    [{}, 'did not supply credential_type'],
    [{ credential_type: 'session_token' }, 'unrecognized credential type: session_token'],
    [
      { credential_type: 'iam_user' },
      'did not supply policy_arns or policy_document, one of which credential_type iam_user requires',
    ],
    [
      { credential_type: 'federation_token', iam_groups: 'g' },
      'did not supply policy_arns or policy_document, one of which credential_type federation_token requires',
    ],
    [
      { credential_type: 'assumed_role' },
      'did not supply role_arns, which credential_type assumed_role requires',
    ],
    [
      { ...user, session_tags: ['a=b'], external_id: 'e' },
      "cannot supply session_tags when credential_type isn't assumed_role",
      "cannot supply external_id when credential_type isn't assumed_role",
    ],
    [{ ...user, role_arns: roleX }, "cannot supply role_arns when credential_type isn't assumed_role"],
    [
      { ...user, default_sts_ttl: 60, max_sts_ttl: 60 },
      'default_sts_ttl parameter only valid for assumed_role and federation_token credential types',
      'max_sts_ttl parameter only valid for assumed_role and federation_token credential types',
    ],
    [
      { credential_type: 'assumed_role', role_arns: roleX, default_sts_ttl: '2h', max_sts_ttl: '1h' },
      '"default_sts_ttl" value must be less than or equal to "max_sts_ttl" value',
    ],
    [
      {
        credential_type: 'assumed_role',
        role_arns: roleX,
        user_path: '/p/',
        permissions_boundary_arn: readOnly,
      },
      'user_path parameter only valid for iam_user credential type',
      "cannot supply permissions_boundary_arn when credential_type isn't iam_user",
    ],
    ...['any text', roleX, readOnly.replace('policy/', 'policy')].map(
      (permissions_boundary_arn): [Wire, string] => [
        { ...user, permissions_boundary_arn },
        'invalid permissions_boundary_arn parameter: a policy is written such as arn:aws:iam::123456789012:policy/boundary',
      ],
    ),
    [
      { ...user, user_path: 'bad' },
      String.raw`The specified value for user_path is invalid. It must match "^\\/([\\x21-\\x7F]{0,510}\\/)?$" regexp`,
    ],
    [
      { credential_type: 'assumed_role', role_arns: roleX, default_sts_ttl: -1 },
      'default_sts_ttl must not be negative',
    ],
  ])('is refused for %j with all faults', async (body, ...faults) => {
    const message = `error(s) validating supplied role data: ${faults.join('; ')}`;
    expect(outcome(await write('refused', body))).toEqual([400, [message]]);
    expect((await admin.read('cloud/roles/refused')).status).toBe(404);
  });

  test.each<[Wire, string]>([
    [{ ...user, policy_document: '{bad' }, 'cannot parse policy document: "{bad"'],
    [{ ...user, policy_document: '[]' }, 'cannot parse policy document: "[]"'],
    [
      { ...user, policy_document: '{"Statement":[{"Effect":"Deny","\\u0045ffect":"Allow"}]}' },
      'cannot parse policy document: the member "Effect" is listed twice',
    ],
    [
      { ...user, policy_document: `{"a":${'['.repeat(32)}${']'.repeat(32)}}` },
      'cannot parse policy document: it is nested more than 32 levels deep',
    ],
    [
      { ...user, iam_tags: ['x'] },
      'Field validation failed: error converting input for field "iam_tags": not a list of key=value',
    ],
    [
      { credential_type: 'assumed_role', role_arns: roleX, session_tags: '{"a":{}}' },
      'Field validation failed: error converting input for field "session_tags": not a list of key=value',
    ],
    [
      { arn: 'x', session_tags: 'a=b' },
      'cannot supply deprecated role or policy parameters with session_tags',
    ],
    [
      { arn: 'x', credential_type: 'iam_user' },
      'cannot supply deprecated role or policy parameters with an explicit credential_type',
    ],
    [{ policy: '{}', role_arns: roleX }, 'cannot supply deprecated role or policy parameters with role_arns'],
    [{ policy: '{}', arn: roleX }, 'cannot supply both policy and arn'],
    [{ arn: 'arn:aws:s3:::bucket' }, 'unable to parse supplied data: "arn:aws:s3:::bucket"'],
    [{ policy: 'x' }, 'unable to parse supplied data: "x"'],
  ])('is refused for %j with one message', async (body, message) => {
    expect(outcome(await write('refused', body))).toEqual([400, [message]]);
  });

  test.each<[string, Wire, string]>([
    [
      'policy_document',
      { ...user, policy_document: `{"a":"${'x'.repeat(2 ** 16)}"}` },
      'text of more than 65536 characters',
    ],
    ['policy', { policy: 'x'.repeat(2 ** 16 + 1) }, 'text of more than 65536 characters'],
    [
      'iam_tags',
      { ...user, iam_tags: `{"a":"${'x'.repeat(65_536)}"}` },
      'text of more than 65536 characters',
    ],
    [
      'iam_tags',
      { ...user, iam_tags: Array.from({ length: 65 }, (_, n) => `k${n}=v`) },
      'more than 64 members',
    ],
  ])('is refused if its %s is too large', async (name, body, why) => {
    const message = `Field validation failed: error converting input for field "${name}": ${why}`;
    expect(outcome(await write('refused', body))).toEqual([400, [message]]);
  });

  test('is refused if its policy document has too many members, without parsing it', async () => {
    const textOf = (elements: number): string => `{"a":[${'1,'.repeat(elements - 2)}1]}`;
    expect(outcome(await write('many', { ...user, policy_document: textOf(5_000) }))).toEqual([204]);
    using parses = vi.spyOn(JSON, 'parse');
    for (const [name, others] of [
      ['policy_document', user],
      ['policy', {}],
    ] as const) {
      const message = `Field validation failed: error converting input for field "${name}": more than 5000 members and elements`;
      const answer = await write('many', { ...others, [name]: textOf(5_001) });
      expect(outcome(answer)).toEqual([400, [message]]);
    }
    expect(parses.mock.calls.filter(([text]) => text === textOf(5_001))).toEqual([]);
    await admin.delete('cloud/roles/many');
  });

  test('is read before the write that stores it', async () => {
    const text = '{"Statement":["read before"]}';
    using parses = vi.spyOn(JSON, 'parse');
    const parsed = (): number => parses.mock.calls.filter(([each]) => each === text).length;
    const add = Object.getOwnPropertyDescriptor(WriteQueue.prototype, 'add')?.value as (
      write: unknown,
    ) => void;
    const before: number[] = [];
    using _ = vi.spyOn(WriteQueue.prototype, 'add').mockImplementation(function (
      this: WriteQueue<unknown>,
      queued,
    ) {
      // The process's own come at any time.
      if (currentAsker() !== '') before.push(parsed());
      add.call(this, queued);
    });
    expect(outcome(await write('before', { ...user, policy_document: text }))).toEqual([204]);
    expect([before, parsed()]).toEqual([[1], 1]);
    await admin.delete('cloud/roles/before');
  });

  test('has at most 256 items in a list, and a policy document of up to 64 KiB', async () => {
    const groups = (length: number) => Array.from({ length }, (_, n) => `g${n}`);
    const policy_document = `{"a":"${'x'.repeat(2 ** 16 - 8)}"}`;
    expect(outcome(await write('refused', { ...user, iam_groups: groups(257) }))).toEqual([
      400,
      ['iam_groups has more than 256 items'],
    ]);
    expect(outcome(await write('large', { ...user, iam_groups: groups(256), policy_document }))).toEqual([
      204,
    ]);
    await admin.delete('cloud/roles/large');
  });

  test('written with legacy parameters causes a warning and is replaced as a whole', async () => {
    await write('old', { ...user, user_path: '/p/' });
    const answer = await write('old', { policy: '{"Statement": []}' });
    expect([answer.status, answer.body['warnings']]).toEqual([
      200,
      ['Detected use of legacy role or policy parameter. Please upgrade to use the new parameters.'],
    ]);
    expect(await read('old')).toEqual({
      ...empty,
      credential_type: 'iam_user,federation_token',
      policy_document: '{"Statement":[]}',
    });
  });

  test('stored by an earlier version is returned, including invalid data', async () => {
    const of = async (name: string) => (await admin.read(`aws/roles/${name}`)).data;
    expect(await of('old')).toMatchObject({ credential_type: 'iam_user,federation_token' });
    expect(await of('broken')).toEqual({ ...empty, credential_type: '', invalid_data: '{"Statement"' });
    expect(await of('odd')).toMatchObject({ invalid_data: 'arn:aws:s3:::bucket' });
    expect(outcome(await admin.read('aws/creds/broken'))).toEqual([
      400,
      ['the role holds invalid data; write it with a credential_type'],
    ]);
    const answer = await admin.write('aws/roles/broken', user);
    expect(answer.body['warnings']).toEqual([
      String.raw`Invalid data of "{\"Statement\"" cleared out of role`,
    ]);
    expect(await of('broken')).not.toHaveProperty('invalid_data');
  });

  test.each(['bad name', '-a', 'a-', 'a+b', 'ä'])("can't have the name %j", async (name) => {
    expect((await write(encodeURIComponent(name), user)).status).toBe(404);
    expect((await admin.read(`cloud/roles/${encodeURIComponent(name)}`)).status).toBe(404);
  });

  test('written with unknown fields causes a warning', async () => {
    const answer = await write('w', { ...user, mfa_serial_number: 'm', bogus: 1 });
    expect(answer.body['warnings']).toEqual([
      'Endpoint ignored these unrecognized parameters: [bogus mfa_serial_number]',
    ]);
  });

  test('keeps every field of twenty simultaneous writes', async () => {
    await write('many', user);
    const fields = [
      { iam_groups: ['g'] },
      { iam_tags: ['a=b'] },
      { user_path: '/u/' },
      { policy_document: document },
    ];
    await Promise.all(Array.from({ length: 20 }, (_, n) => write('many', fields[n % 4] ?? {})));
    expect(await read('many')).toMatchObject({ iam_groups: ['g'], iam_tags: { a: 'b' }, user_path: '/u/' });
  });
});

test('engines are independent, and a mount is deleted with its roles', async () => {
  const body = { credential_type: 'iam_user', policy_arns: readOnly };
  await admin.write('sys/mounts/team/cloud', { type: 'cloud', description: 'of a team' });
  await admin.write('team/cloud/roles/own', body);
  expect((await admin.read('cloud/roles/own')).status).toBe(404);
  expect((await admin.read('sys/mounts/team/cloud')).data).toMatchObject({ type: 'cloud', options: null });
  await admin.delete('sys/mounts/team/cloud');
  await admin.write('sys/mounts/team/cloud', { type: 'cloud' });
  expect((await admin.read('team/cloud/roles/own')).status).toBe(404);
});

test('operators can read roles and issue credentials, and only administrators can do the rest', async () => {
  const operator = await as(server, 'operator');
  const user = { credential_type: 'iam_user', policy_arns: readOnly };
  await admin.write('cloud/roles/shared', user);
  expect((await operator.list('cloud/roles')).status).toBe(200);
  expect((await operator.read('cloud/roles/shared')).status).toBe(200);
  expect((await operator.read('cloud/creds/shared')).status).toBe(200);
  expect((await operator.write('cloud/sts/shared')).status).toBe(200);
  expect((await operator.read('cloud/config/root')).status).toBe(403);
  expect((await operator.write('cloud/config/rotate-root')).status).toBe(403);
  expect((await operator.write('cloud/roles/shared', user)).status).toBe(403);
  expect((await operator.delete('cloud/roles/shared')).status).toBe(403);
  expect((await (await as(server, 'read-only')).read('cloud/creds/shared')).status).toBe(403);
  expect((await server.anonymous.list('cloud/roles')).status).toBe(403);
  expect(outcome(await admin.read('cloud/nothing'))).toEqual([404, ['unsupported path']]);
});
