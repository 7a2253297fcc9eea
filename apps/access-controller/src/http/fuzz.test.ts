import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialTypes } from '../domain/credential/credential.ts';
import { startController, textOf } from '../testing/controller.ts';
import type { Answer, Client, TestController } from '../testing/controller.ts';
import { SourceMaker } from '../testing/sources.ts';

const numRuns = process.env['GATEHOUSE_DEEP'] === '1' ? 10_000 : 160;
let controller: TestController;
let client: Client;
let store: string;
let linked: string;
let session: string;
beforeAll(async () => {
  controller = await startController();
  client = await controller.as('administrator');
  const make = new SourceMaker(controller, client);
  store = await make.store();
  linked = textOf(await make.target(), 'id');
  const authorized = await client.post('/v1/targets/ttcp_1234567890:authorize-session', {});
  session = textOf(authorized.body, 'session_id');
});
afterAll(() => controller[Symbol.asyncDispose]());

/** Expects an answer without an internal error, and every refusal in the common form of errors. */
function expectSound(answer: Answer): void {
  expect([200, 204, 400, 401, 404, 413]).toContain(answer.status);
  if (answer.status < 400) return;
  const { kind, message, details, ...rest } = answer.body;
  expect([typeof kind, typeof message, rest]).toEqual(['string', 'string', {}]);
  if (details === undefined) return;
  const { request_fields: fields } = details as { request_fields: { name: string; description: string }[] };
  expect(fields.length).toBeGreaterThan(0);
  for (const field of fields)
    expect([typeof field.name, field.description === '']).toEqual(['string', false]);
  expect(fields.map((field) => field.name)).toEqual(fields.map((field) => field.name).toSorted());
}

const anything = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    null,
    true,
    0,
    1,
    -1,
    2 ** 31,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '__proto__',
    [],
    {},
    [[]],
  ),
);
/** A value that is often valid. */
const often = (right: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(right) }, anything);
const attributes = fc.oneof(
  fc.record(
    {
      default_port: often(22),
      default_client_port: often(23),
      storage_bucket_id: often('sb_1234567890'),
      enable_session_recording: often(true),
    },
    { requiredKeys: [] },
  ),
  anything,
);
const target = fc.record(
  {
    scope_id: often('p_1234567890'),
    name: fc.oneof(fc.string(), anything),
    description: fc.oneof(fc.string(), anything),
    type: fc.oneof(fc.constantFrom('tcp', 'ssh', 'rdp'), anything),
    version: often(1),
    address: fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), anything),
    session_max_seconds: fc.oneof(fc.nat(), anything),
    session_connection_limit: fc.oneof(fc.nat(), anything),
    worker_filter: fc.oneof(fc.constant('"/name" == w'), anything),
    egress_worker_filter: fc.oneof(fc.constant('"/name" == w'), anything),
    ingress_worker_filter: fc.oneof(fc.constant('"/name" == w'), anything),
    attributes,
  },
  { requiredKeys: [] },
);
const body = fc.oneof({ weight: 4, arbitrary: target }, anything);

test('gives valid responses to random bodies of new targets', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (sent) =>
      expectSound(await client.post('/v1/targets', JSON.stringify(sent))),
    ),
    { numRuns },
  );
});

test('gives valid responses to random bodies of changes, and keeps the target consistent', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const before = (await client.get('/v1/targets/ttcp_1234567890')).body;
      const current = typeof sent === 'object' && sent !== null && 'version' in sent && sent.version === 1;
      const withVersion = current ? { ...sent, version: before['version'] } : sent;
      const answer = await client.patch('/v1/targets/ttcp_1234567890', JSON.stringify(withVersion));
      expectSound(answer);
      const after = (await client.get('/v1/targets/ttcp_1234567890')).body;
      expect(after).toEqual(answer.status === 200 ? answer.body : before);
    }),
    { numRuns },
  );
});

test('gives valid responses to random bodies of scopes and sign-ins', async () => {
  const scope = fc.record(
    {
      scope_id: often('global'),
      name: anything,
      description: anything,
      type: often('org'),
      version: often(1),
    },
    { requiredKeys: [] },
  );
  const signIn = fc.record(
    {
      command: often('login'),
      type: often('token'),
      attributes: fc.oneof(fc.record({ login_name: often('admin'), password: anything }), anything),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(scope, signIn, anything, async (scopeBody, signInBody, other) => {
      for (const sent of [scopeBody, other]) {
        expectSound(await client.post('/v1/scopes', JSON.stringify(sent)));
        expectSound(await client.patch('/v1/scopes/o_1234567890', JSON.stringify(sent)));
      }
      for (const sent of [signInBody, other]) {
        expectSound(
          await controller.anonymous.post(
            '/v1/auth-methods/ampw_1234567890:authenticate',
            JSON.stringify(sent),
          ),
        );
      }
    }),
    { numRuns: numRuns / 2 },
  );
});

test('gives valid responses to random bodies of sources, sessions and users', async () => {
  const ids = fc.oneof(
    fc.array(
      fc.oneof(
        fc.constantFrom('hsst_1234567890', 'hst_1234567890', 'credup_0000000000', '', '\ud800', '__proto__'),
        anything,
      ),
      { maxLength: 4 },
    ),
    anything,
  );
  const sent = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record(
        {
          scope_id: often('p_1234567890'),
          scope_name: often('Generated project scope'),
          host_catalog_id: often('hcst_1234567890'),
          credential_store_id: often(store),
          name: fc.oneof(fc.string(), anything),
          description: anything,
          type: fc.oneof(fc.constantFrom('static', 'vault-generic', ...credentialTypes), anything),
          version: fc.oneof(fc.nat({ max: 20 }), anything),
          host_ids: ids,
          host_source_ids: ids,
          host_id: often('hst_1234567890'),
          application_credential_source_ids: ids,
          brokered_credential_source_ids: ids,
          injected_application_credential_source_ids: ids,
          login_name: fc.oneof(fc.string(), anything),
          full_name: anything,
          email: anything,
          disabled: anything,
          roles: fc.oneof(
            fc.record({ access: often('operator'), boxes: anything }, { requiredKeys: [] }),
            anything,
          ),
          password: anything,
          current_password: anything,
          new_password: anything,
          credential_type: often('username_password'),
          credential_mapping_overrides: fc.oneof(
            fc.record({ username_attribute: anything, ['__proto__']: anything }, { requiredKeys: [] }),
            anything,
          ),
          attributes: fc.oneof(
            fc.record(
              {
                address: fc.oneof(fc.domain(), anything),
                username: fc.oneof(fc.string(), anything),
                password: fc.oneof(fc.string(), anything),
                domain: anything,
                private_key: anything,
                path: fc.oneof(fc.string(), anything),
                http_method: fc.oneof(fc.constantFrom('GET', 'POST'), anything),
                http_request_body: fc.oneof(fc.json(), anything),
                object: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), anything),
              },
              { requiredKeys: [] },
            ),
            anything,
          ),
        },
        { requiredKeys: [] },
      ),
    },
    anything,
  );
  const verbs = ['add', 'set', 'remove'];
  const posts = [
    'host-catalogs',
    'host-sets',
    'hosts',
    'credential-stores',
    'credentials',
    'credential-libraries',
    'users',
    ...verbs.map((verb) => `host-sets/hsst_1234567890:${verb}-hosts`),
    ...verbs.map((verb) => `targets/tssh_1234567890:${verb}-host-sources`),
    ...verbs.map((verb) => `targets/${linked}:${verb}-host-sources`),
    ...verbs.map((verb) => `targets/${linked}:${verb}-credential-sources`),
    `targets/${linked}:authorize-session`,
    'targets/name:authorize-session',
    `sessions/${session}:cancel`,
    'accounts/acctpw_1234567890:change-password',
    'accounts/acctpw_0000000000:set-password',
  ];
  const patches = [
    'host-catalogs/hcst_1234567890',
    'host-sets/hsst_1234567890',
    'hosts/hst_1234567890',
    'users/u_1234567890',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...posts),
      fc.constantFrom(...patches),
      sent,
      async (post, patch, body) => {
        expectSound(await client.post(`/v1/${post}`, JSON.stringify(body)));
        expectSound(await client.patch(`/v1/${patch}`, JSON.stringify(body)));
      },
    ),
    { numRuns },
  );
  expect((await client.get('/v1/users/u_1234567890')).body).toMatchObject({
    disabled: false,
    role: 'administrator',
  });
});

test('gives valid responses to malformed JSON', async () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    'null',
    '1e999',
    '-',
    '"name"',
    '"\\u',
    '\\',
    'true',
    '"a"',
    ' ',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 20 }), async (pieces) => {
      expectSound(await client.post('/v1/targets', pieces.join('')));
    }),
    { numRuns },
  );
});

test('gives valid responses to random paths and query strings', async () => {
  const name = fc.constantFrom(
    'scope_id',
    'host_catalog_id',
    'credential_store_id',
    'auth_method_id',
    'include_terminated',
    'recursive',
    'page_size',
    'filter',
    'list_token',
    '__proto__',
    'x',
  );
  const value = fc.oneof(
    fc.constantFrom(
      'true',
      'p_1234567890',
      'hcst_1234567890',
      'ampw_1234567890',
      'global',
      '1',
      '-1',
      '1e9',
      '"/item/name" == x',
      'W10',
      'bnVsbA',
    ),
    fc.string({ unit: 'binary' }),
  );
  const query = fc.array(fc.tuple(name, value), { maxLength: 5 });
  const id = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('ttcp_1234567890', '..', '.', '%2e%2e', '%', '__proto__'),
  );
  await fc.assert(
    fc.asyncProperty(query, id, async (parameters, identifier) => {
      const text = parameters
        .map(([key, given]) => `${key}=${encodeURIComponent(given.toWellFormed())}`)
        .join('&');
      for (const collection of [
        'targets',
        'scopes',
        'users',
        'auth-tokens',
        'auth-methods',
        'accounts',
        'host-catalogs',
        'host-sets',
        'hosts',
        'credential-stores',
        'credentials',
        'sessions',
      ]) {
        expectSound(await client.get(`/v1/${collection}?${text}`));
        expectSound(await client.get(`/v1/${collection}/${encodeURIComponent(identifier)}?${text}`));
      }
    }),
    { numRuns: numRuns / 8 },
  );
});

test('gives valid responses to request lines that no client library sends', async () => {
  const { port } = new URL(controller.url);
  for (const path of [
    '/v1/targets/%zz',
    '/v1/targets/%00',
    '//',
    '/v1/../v1/targets',
    '/v1/targets?%zz=%',
    '/v1/targets/%E0%A4%A',
    '*',
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token ?? ''}\r\nConnection: close\r\n\r\n`,
    );
    const answer = await readText(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/\r\n\r\n\{"kind":"\w+","message":"/);
  }
});
