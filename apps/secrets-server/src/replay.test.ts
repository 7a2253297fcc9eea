import { expect, test } from 'vitest';
import { version } from './core/version.ts';
import { builtinVersion } from './plugins/builtins.ts';
import { tokenWith } from './testing/people.ts';
import { enveloped, recording, refused, replay, sendTo, without } from './testing/replay.ts';
import type { Difference, RecordedAnswer } from './testing/replay.ts';
import { rootToken } from './testing/root-token.ts';
import { startServer } from './testing/server.ts';

const requests = recording('kv-and-system');

/** The recorded answer without members that this server does not have. */
const lacking = (number: number, ...names: readonly string[]): RecordedAnswer => {
  const recorded = requests[number];
  if (recorded === undefined) throw new Error(`there is no request ${number}`);
  return without(recorded.answer, names);
};
/** The recorded body with additional members. */
const having = (answer: RecordedAnswer, members: Readonly<Record<string, unknown>>): RecordedAnswer => ({
  status: answer.status,
  body: { ...(answer.body as object), ...members },
});
/** The recorded answer with the token's owner. */
const owned = (number: number): RecordedAnswer => {
  const recorded = lacking(number);
  const { data } = recorded.body as { readonly data: object };
  return having(recorded, { data: { ...data, owner: '<str>' } });
};
/** An answer whose data is repeated at the top level, as in some paths of sys. */
const repeated = (data: Readonly<Record<string, unknown>>): RecordedAnswer => having(enveloped(data), data);

/** A mount as this server returns it. */
const mount = (type: string, description: string, more: Readonly<Record<string, unknown>> = {}) => ({
  accessor: '<str>',
  config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0 },
  description,
  external_entropy_access: false,
  local: false,
  options: null,
  plugin_version: '',
  running_plugin_version: builtinVersion,
  running_sha256: '',
  seal_wrap: false,
  type,
  uuid: '<uuid>',
  ...more,
});
const kv = { deprecation_status: 'supported', options: { version: '2' } };
const auth = {
  config: { default_lease_ttl: 0, force_no_cache: false, max_lease_ttl: 0, token_type: 'default-service' },
  local: true,
};
const engines = (kvt: Readonly<Record<string, unknown>>) => ({
  'kvt/': kvt,
  'secret/': mount('kv', 'key/value secret storage', kv),
  'sys/': mount('system', 'system endpoints used for control, policy and debugging'),
});
const methods = {
  'token/': mount('token', 'token based credentials', auth),
  'userpass/': mount('userpass', 'people, with their passwords', {
    ...auth,
    deprecation_status: 'supported',
  }),
};

const openBaosOwn = 'a member that OpenBao alone has, and the specification does not name';
const goWords = 'the recorded text is that of a decoder in Go; ours says the same in plain words';
const noRedirect =
  'slashes that follow each other are one: asking again would lose the body with some clients';
const noRelative = 'a path with `..` is refused however it is written';
const position = 'the text says as well where in the policy';
const otherMounts = 'other engines and auth methods are built in';
const notOffered = 'this server does not do it';
const differences: Readonly<Record<number, Difference>> = {
  ...Object.fromEntries(
    [2, 4, 8, 39, 68, 89, 91, 93, 102, 106, 113, 123, 125].map((number) => [
      number,
      { why: openBaosOwn, answer: lacking(number, 'metadata_cas_required', 'current_metadata_version') },
    ]),
  ),
  ...Object.fromEntries(
    [158, 174].map((number) => [
      number,
      { why: 'the token was created by another, whose owner is named', answer: owned(number) },
    ]),
  ),
  5: {
    why: 'OpenBao keeps 4294967295 versions then, which nobody means',
    answer: refused(400, 'max_versions must be between 0 and 10000'),
  },
  9: {
    why: 'a member that the engine does not know is warned of',
    answer: enveloped(null, ['Endpoint ignored these unrecognized parameters: [unknown]']),
  },
  26: {
    why: goWords,
    answer: refused(400, 'Field validation failed: error converting input for field "data": not a map'),
  },
  27: {
    why: goWords,
    answer: refused(400, 'Field validation failed: error converting input for field "data": not a map'),
  },
  29: { why: goWords, answer: refused(400, 'failed to decode JSON input') },
  30: { why: goWords, answer: refused(400, 'failed to decode JSON input: not an object') },
  38: {
    why: goWords,
    answer: refused(
      400,
      'Field validation failed: error converting input for field "version": not an integer',
    ),
  },
  79: {
    why: goWords,
    answer: refused(
      400,
      'Field validation failed: error converting input for field "versions": not an integer',
    ),
  },
  100: {
    why: 'what cannot be printed is not repeated as it is',
    answer: refused(400, 'custom_metadata validation failed: key "a\\n" contains unprintable characters'),
  },
  137: {
    why: noRedirect,
    answer: enveloped({
      created_time: '<time>',
      custom_metadata: null,
      deletion_time: '',
      destroyed: false,
      version: 2,
    }),
  },
  138: {
    why: noRedirect,
    answer: enveloped({
      data: { x: 1 },
      metadata: {
        created_time: '<time>',
        custom_metadata: null,
        deletion_time: '',
        destroyed: false,
        version: 2,
      },
    }),
  },
  139: { why: noRelative, answer: refused(400, 'relative paths not supported') },
  140: { why: noRelative, answer: refused(400, 'relative paths not supported') },
  148: { why: 'the method is not allowed, which is a 405', answer: refused(405, 'unsupported operation') },
  ...Object.fromEntries(
    [161, 163].map((number) => [
      number,
      {
        why: openBaosOwn,
        answer: lacking(
          number,
          'allow_slashes_in_identity_templates',
          'allow_wildcards_in_identity_templates',
          'cas_required',
          'modified',
          'version',
        ),
      },
    ]),
  ),
  162: {
    why: 'each role of a person has a policy',
    answer: enveloped({ keys: ['administrator', 'default', 'operator', 'rd', 'read-only', 'root'] }),
  },
  164: {
    why: position,
    answer: refused(400, 'failed to parse policy: At 1:28: path "x": invalid capability "fly"'),
  },
  165: {
    why: goWords,
    answer: refused(400, 'failed to parse policy: At 1:11: expected a name, found the end of the text'),
  },
  182: {
    why: 'the members of Vault that OpenBao does not have are there as well',
    answer: having(lacking(182), {
      performance_standby: false,
      enterprise: false,
      echo_duration_ms: null,
      clock_skew_ms: null,
      replication_primary_canary_age_ms: 0,
    }),
  },
  183: {
    why: 'Vault tells the date of the build, which is not known here; the store is another',
    answer: having(lacking(183, 'commit_date'), { build_date: '', storage_type: 'sqlite' }),
  },
  185: {
    why: otherMounts,
    answer: enveloped({ auth: methods, secret: engines(mount('kv', 'd', kv)) }),
  },
  191: {
    why: otherMounts,
    answer: repeated(
      engines(
        mount('kv', 'new', {
          ...kv,
          config: { default_lease_ttl: 3600, force_no_cache: false, max_lease_ttl: 0 },
        }),
      ),
    ),
  },
  192: { why: otherMounts, answer: repeated(methods) },
  193: {
    why: 'the members of Vault that OpenBao leaves out are there as well',
    answer: having(lacking(193), {
      is_self: false,
      active_time: '0001-01-01T00:00:00Z',
      leader_address: '',
      leader_cluster_address: '',
      performance_standby: false,
      performance_standby_last_remote_wal: 0,
    }),
  },
  194: {
    why: 'OpenBao has no replication',
    answer: repeated({ dr: { mode: 'disabled' }, performance: { mode: 'disabled' } }),
  },
  195: {
    why: 'userpass is there, and its people are kept elsewhere',
    answer: refused(404, 'unsupported path'),
  },
  196: { why: 'userpass is there', answer: refused(400, 'invalid username or password') },
  202: { why: notOffered, answer: refused(404, 'unsupported path') },
  206: { why: notOffered, answer: refused(404, 'unsupported path') },
  207: {
    why: 'so nothing was moved',
    answer: refused(404, 'no handler for route "kvu/data/b". route entry not found.'),
  },
};

test('answers the requests about secrets, tokens and the system recorded with OpenBao the same way, except for the listed differences', async () => {
  await using server = await startServer();
  const root = server.with(await rootToken(server));
  const mismatches = await replay({
    requests,
    from: 0,
    to: 210,
    send: sendTo(server.url),
    token: await tokenWith(root, { no_parent: true }),
    fill: {},
    renamed: { 'v2.6.2+builtin.bao': builtinVersion, '2.6.2': version },
    differences,
  });
  expect(mismatches).toEqual([]);
});
