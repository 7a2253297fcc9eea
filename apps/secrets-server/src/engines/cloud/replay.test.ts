import { startCloudDouble } from '@gatehouse/cloud-double/double';
import { expect, test } from 'vitest';
import { builtinVersion } from '../../plugins/builtins.ts';
import { roleX, roleY } from '../../testing/cloud.ts';
import { as, tokenWith } from '../../testing/people.ts';
import { enveloped, recording, refused, replay, sendTo } from '../../testing/replay.ts';
import type { Difference } from '../../testing/replay.ts';
import { startServer } from '../../testing/server.ts';

const invalid = (fault: string) => refused(400, `error(s) validating supplied role data: ${fault}`);
const root = (max_retries: number) =>
  enveloped({
    access_key: '<str>',
    iam_endpoint: 'http://<cloud endpoint>',
    max_retries,
    region: 'us-east-1',
    sts_endpoint: 'http://<cloud endpoint>',
  });
/** A user's credentials, with a warning. */
const issued = (warning: string) => ({
  status: 200,
  body: {
    ...(enveloped(null).body as object),
    data: { access_key: '<str>', secret_key: '<str>', security_token: null },
    warnings: [warning],
    lease_id: '<lease>',
    lease_duration: '<int>',
    renewable: true,
  },
});
const required = 'the specification requires it when a role is written';
const unknownMembers = 'members that the engine does not know are warned of';
const noTemplate = 'names of users have one form';
const noEffect = 'a parameter that has no effect is said';
const requests = recording('plugins-and-cloud');
/** Roles have fields of Vault's engine that the recorded engine ignored. */
const readRoles = [74, 84, 89, 92, 94, 96].map((index): [number, Difference] => {
  const { status, body } = requests[index]?.answer ?? refused(404);
  const given =
    index === 84 ? { external_id: 'e', session_tags: { a: 'b' } } : { external_id: '', session_tags: null };
  const { data } = body as { readonly data: object };
  return [
    index,
    {
      why: 'roles have fields that came later',
      answer: { status, body: { ...(body as object), data: { ...data, ...given } } },
    },
  ];
});
const differences: Readonly<Record<number, Difference>> = {
  ...Object.fromEntries(readRoles),
  58: {
    why: "there are no static keys, which is the caller's mistake",
    answer: refused(400, 'no configuration found for config/root'),
  },
  61: { why: noTemplate, answer: root(2) },
  62: {
    why: unknownMembers,
    answer: enveloped(null, ['Endpoint ignored these unrecognized parameters: [bogus]']),
  },
  63: { why: noTemplate, answer: root(-1) },
  70: {
    why: required,
    answer: invalid(
      'did not supply policy_arns or policy_document, one of which credential_type iam_user requires',
    ),
  },
  71: { why: 'so there is no role yet', answer: refused(404) },
  80: {
    why: required,
    answer: invalid('did not supply role_arns, which credential_type assumed_role requires'),
  },
  87: {
    why: required,
    answer: invalid(
      'did not supply policy_arns or policy_document, one of which credential_type federation_token requires',
    ),
  },
  114: { why: noEffect, answer: issued('"ttl" has no effect on credentials of type iam_user') },
  115: { why: noEffect, answer: issued('"role_arn" has no effect on credentials of type iam_user') },
  116: {
    why: 'the first line of what the provider says is passed on',
    answer: refused(
      400,
      'Error attaching user policy: NoSuchEntity: Policy arn:aws:iam::aws:policy/ReadOnlyAccess does not exist or is not attachable.',
    ),
  },
  118: {
    why: 'ids are random',
    answer: enveloped({ keys: ['<id>', '<id>', '<id>', '<id>'] }),
  },
  120: { why: 'tokens are not listed as leases', answer: enveloped({ keys: ['cloud/'] }) },
  127: { why: 'the specification says 404', answer: refused(404) },
  129: {
    why: 'the user of the keys exists here, so they are rotated',
    answer: enveloped({ access_key: '<str>' }),
  },
  130: { why: noTemplate, answer: root(-1) },
  132: {
    why: 'the engine is built in',
    answer: enveloped({
      accessor: '<str>',
      config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0 },
      deprecation_status: 'supported',
      description: '',
      external_entropy_access: false,
      local: false,
      options: null,
      path: 'cloud/',
      plugin_version: '',
      running_plugin_version: builtinVersion,
      running_sha256: '',
      seal_wrap: false,
      type: 'cloud',
      uuid: '<uuid>',
    }),
  },
};

test("answers the requests recorded with OpenBao's engine the same way, except for the listed differences", async () => {
  await using server = await startServer();
  await using cloud = await startCloudDouble({
    now: () => server.clock.now(),
    seed: {
      users: { root: { keys: { AKIAEXAMPLE: 'sk' } } },
      policies: [],
      roles: { [roleX]: 7200, [roleY]: 7200 },
    },
  });
  const admin = await as(server, 'administrator');
  const token = await tokenWith(admin, { policies: ['administrator'] });
  await server.with(token).write('sys/mounts/cloud', { type: 'cloud' });
  const mismatches = await replay({
    requests,
    from: 52,
    to: 132,
    send: sendTo(server.url),
    token,
    fill: { '<cloud endpoint>': cloud.url.slice('http://'.length), '<sha256>': '0'.repeat(64) },
    differences,
  });
  expect(mismatches).toEqual([]);
});
