import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';

let controller: TestController;
let operator: Client;
let names = 0;

beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
});
afterAll(() => controller[Symbol.asyncDispose]());

const project = 'p_1234567890';
const tcp = (fields: Wire = {}): Wire => ({
  scope_id: project,
  name: `target ${++names}`,
  type: 'tcp',
  attributes: { default_port: 22 },
  ...fields,
});
const create = async (fields: Wire = {}): Promise<Wire> => {
  const answer = await operator.post('/v1/targets', tcp(fields));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const patch = (target: Wire, fields: Wire): Promise<Answer> =>
  operator.patch(`/v1/targets/${textOf(target, 'id')}`, { version: target['version'], ...fields });
const read = async (target: Wire): Promise<Wire> =>
  (await operator.get(`/v1/targets/${textOf(target, 'id')}`)).body;

describe('a new target', () => {
  test('has every field of the specification, with its defaults', async () => {
    const target = await create({ name: 'first', description: 'what it is' });
    const now = new Date(controller.clock.now()).toISOString();
    expect(target).toEqual({
      id: expect.stringMatching(/^ttcp_[0-9A-Za-z]{10}$/),
      scope_id: project,
      scope: {
        id: project,
        type: 'project',
        name: 'Generated project scope',
        description: expect.any(String),
        parent_scope_id: 'o_1234567890',
      },
      name: 'first',
      description: 'what it is',
      created_time: now,
      updated_time: now,
      version: 1,
      type: 'tcp',
      host_source_ids: [],
      host_sources: [],
      session_max_seconds: 28_800,
      session_connection_limit: -1,
      worker_filter: '',
      egress_worker_filter: '',
      ingress_worker_filter: '',
      application_credential_source_ids: [],
      application_credential_sources: [],
      brokered_credential_source_ids: [],
      brokered_credential_sources: [],
      injected_application_credential_source_ids: [],
      injected_application_credential_sources: [],
      attributes: { default_port: 22, default_client_port: null },
      address: '',
      authorized_actions: [
        'no-op',
        'read',
        'update',
        'delete',
        'add-host-sources',
        'set-host-sources',
        'remove-host-sources',
        'add-credential-sources',
        'set-credential-sources',
        'remove-credential-sources',
        'authorize-session',
      ],
    });
    expect(await read(target)).toEqual(target);
  });

  test.each([
    [
      'ssh',
      'tssh',
      { default_port: 22, default_client_port: null, storage_bucket_id: '', enable_session_recording: false },
    ],
    ['rdp', 'trdp', { default_port: 3389, default_client_port: null }],
  ])('of type %s has its default port and attributes', async (type, prefix, attributes) => {
    const target = await create({ type, attributes: undefined });
    expect(target).toMatchObject({ type, attributes });
    expect(textOf(target, 'id').startsWith(`${prefix}_`)).toBe(true);
  });

  test('accepts every settable field, and trims and normalizes it', async () => {
    const target = await create({
      name: '  spaced  ',
      description: ' d ',
      type: 'ssh',
      address: ' 2001:DB8:0::1 ',
      session_max_seconds: 60,
      session_connection_limit: 3,
      egress_worker_filter: '"prod" in "/tags/env"',
      ingress_worker_filter: '"/name" == w1',
      attributes: {
        default_port: 2222,
        default_client_port: 1,
        storage_bucket_id: 'sb_1234567890',
        enable_session_recording: true,
      },
    });
    expect(target).toMatchObject({
      name: 'spaced',
      description: 'd',
      address: '2001:db8::1',
      session_max_seconds: 60,
      session_connection_limit: 3,
      worker_filter: '',
      egress_worker_filter: '"prod" in "/tags/env"',
      ingress_worker_filter: '"/name" == w1',
      attributes: {
        default_port: 2222,
        default_client_port: 1,
        storage_bucket_id: 'sb_1234567890',
        enable_session_recording: true,
      },
    });
  });

  test('accepts the deprecated worker filter, and null for unset fields', async () => {
    const target = await create({
      worker_filter: '"/name" == w',
      description: null,
      session_max_seconds: null,
      session_connection_limit: null,
      address: null,
      egress_worker_filter: null,
    });
    expect(target).toMatchObject({
      worker_filter: '"/name" == w',
      session_max_seconds: 28_800,
      session_connection_limit: -1,
    });
  });

  test('ignores unknown and read-only fields', async () => {
    const target = await create({
      version: 7,
      id: 'ttcp_0000000000',
      created_time: 'x',
      color: 'red',
      host_source_ids: ['x'],
    });
    expect(target).toMatchObject({ version: 1, host_source_ids: [] });
    expect(target['id']).not.toBe('ttcp_0000000000');
    expect(target).not.toHaveProperty('color');
  });

  const wrong: readonly (readonly [string, Wire, readonly string[]])[] = [
    ['no name', { name: undefined }, ['name']],
    ['an empty name', { name: '  ' }, ['name']],
    ['a name that is not text', { name: 5 }, ['name']],
    ['an unprintable name', { name: 'a\nb' }, ['name']],
    ['an invisible name', { name: 'a\u200bb' }, ['name']],
    ['a blank name', { name: '\u2800\u3164' }, ['name']],
    ['half a surrogate', { name: 'a\ud800' }, ['name']],
    ['a name of 513 characters', { name: 'x'.repeat(513) }, ['name']],
    ['an unprintable description', { description: 'a\tb' }, ['description']],
    ['no type', { type: undefined }, ['type']],
    ['an unknown type', { type: 'http' }, ['type']],
    ['no scope', { scope_id: undefined }, ['scope_id']],
    ['an organization as scope', { scope_id: 'o_1234567890' }, ['scope_id']],
    ['a malformed scope', { scope_id: 'p_1' }, ['scope_id']],
    ['no port', { attributes: {} }, ['attributes.default_port']],
    ['no attributes', { attributes: undefined }, ['attributes.default_port']],
    ['port 0', { attributes: { default_port: 0 } }, ['attributes.default_port']],
    ['port 65536', { attributes: { default_port: 65_536 } }, ['attributes.default_port']],
    ['port -1', { attributes: { default_port: -1 } }, ['attributes.default_port']],
    ['port 1.5', { attributes: { default_port: 1.5 } }, ['attributes.default_port']],
    ['port "22"', { attributes: { default_port: '22' } }, ['attributes.default_port']],
    [
      'client port 0',
      { attributes: { default_port: 1, default_client_port: 0 } },
      ['attributes.default_client_port'],
    ],
    ['an unknown attribute', { attributes: { default_port: 1, color: 'red' } }, ['attributes']],
    [
      'an attribute of ssh',
      { attributes: { default_port: 1, enable_session_recording: true } },
      ['attributes'],
    ],
    ['attributes that are no object', { attributes: [] }, ['attributes', 'attributes.default_port']],
    [
      'a malformed bucket',
      { type: 'ssh', attributes: { storage_bucket_id: 'x' } },
      ['attributes.storage_bucket_id'],
    ],
    [
      'recording without a bucket',
      { type: 'ssh', attributes: { enable_session_recording: true } },
      ['attributes.enable_session_recording'],
    ],
    ['no lifetime', { session_max_seconds: 0 }, ['session_max_seconds']],
    ['a negative lifetime', { session_max_seconds: -1 }, ['session_max_seconds']],
    ['a lifetime beyond 32 bits', { session_max_seconds: 2 ** 31 }, ['session_max_seconds']],
    ['no connections', { session_connection_limit: 0 }, ['session_connection_limit']],
    ['-2 connections', { session_connection_limit: -2 }, ['session_connection_limit']],
    ['connections beyond 32 bits', { session_connection_limit: 2 ** 31 }, ['session_connection_limit']],
    ['a short address', { address: 'ab' }, ['address']],
    ['an address with a port', { address: 'db.example.com:22' }, ['address']],
    ['an address that is none', { address: 'two words' }, ['address']],
    ['half a surrogate in a filter', { worker_filter: '"/name" == "\ud800"' }, ['worker_filter']],
    ['a broken worker filter', { worker_filter: 'x ==' }, ['worker_filter']],
    ['a broken egress filter', { egress_worker_filter: 'x ==' }, ['egress_worker_filter']],
    ['a broken ingress filter', { ingress_worker_filter: '((' }, ['ingress_worker_filter']],
    [
      'the old and the new filters',
      {
        worker_filter: '"/name" == a',
        egress_worker_filter: '"/name" == b',
        ingress_worker_filter: '"/name" == c',
      },
      ['egress_worker_filter', 'ingress_worker_filter'],
    ],
    ['an alias', { with_aliases: [{ value: 'db.internal', scope_id: 'global' }] }, ['with_aliases']],
    [
      'everything at once',
      { name: '', type: '', scope_id: 'x', session_max_seconds: 0, address: 'x' },
      ['address', 'name', 'scope_id', 'session_max_seconds', 'type'],
    ],
  ];
  test.each(wrong)('refuses %s', async (_what, fields, blamed) => {
    const answer = await operator.post('/v1/targets', tcp(fields));
    expect(answer).toMatchObject({
      status: 400,
      body: { kind: 'InvalidArgument', message: 'Error in provided request.' },
    });
    expect(blamedFields(answer)).toEqual(blamed);
  });

  test("is refused in a project that doesn't exist", async () => {
    const answer = await operator.post('/v1/targets', tcp({ scope_id: 'p_0000000000' }));
    expect(answer).toMatchObject({ status: 404, body: { kind: 'NotFound', message: 'Resource not found.' } });
  });

  test('is refused with a name that is taken in its project', async () => {
    const target = await create();
    const answer = await operator.post('/v1/targets', tcp({ name: ` ${textOf(target, 'name')}` }));
    expect(answer).toMatchObject({
      status: 400,
      body: {
        kind: 'InvalidArgument',
        message: expect.stringContaining(
          'make second resource with the same field value that must be unique.',
        ),
      },
    });
    expect(blamedFields(answer)).toEqual(['name']);
  });

  test('is stored for each of 500 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 500 }, () => operator.post('/v1/targets', tcp())));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(500);
  });
});

describe('a change', () => {
  test('sets only the named fields', async () => {
    const target = await create({
      description: 'stays',
      address: '10.0.0.1',
      attributes: { default_port: 1, default_client_port: 2 },
    });
    controller.clock.advance(1000);
    const answer = await patch(target, { name: 'renamed', attributes: { default_port: 3 } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...target,
      name: 'renamed',
      version: 2,
      updated_time: new Date(controller.clock.now()).toISOString(),
      attributes: { default_port: 3, default_client_port: 2 },
    });
    expect(await read(target)).toEqual(answer.body);
  });

  test('clears a field or restores its default with null', async () => {
    const target = await create({
      description: 'd',
      address: '10.0.0.1',
      session_max_seconds: 5,
      session_connection_limit: 5,
      worker_filter: '"/name" == w',
      attributes: { default_port: 1, default_client_port: 2 },
    });
    const answer = await patch(target, {
      description: null,
      address: null,
      session_max_seconds: null,
      session_connection_limit: null,
      worker_filter: null,
      attributes: { default_client_port: null },
    });
    expect(answer.body).toMatchObject({
      description: '',
      address: '',
      session_max_seconds: 28_800,
      session_connection_limit: -1,
      worker_filter: '',
      attributes: { default_port: 1, default_client_port: null },
    });
  });

  test('clears a field with an empty text too', async () => {
    const target = await create({ description: 'd', address: '10.0.0.1', worker_filter: '"/name" == w' });
    const answer = await patch(target, { description: '', address: '', worker_filter: '' });
    expect(answer.body).toMatchObject({ description: '', address: '', worker_filter: '' });
  });

  test('resets the port of an ssh or rdp target with null', async () => {
    const target = await create({ type: 'rdp', attributes: { default_port: 1 } });
    expect((await patch(target, { attributes: { default_port: null } })).body).toMatchObject({
      attributes: { default_port: 3389 },
    });
  });

  test('requires both worker filters in one request to replace one by the other', async () => {
    const target = await create({ worker_filter: '"/name" == w' });
    const alone = await patch(target, { egress_worker_filter: '"/name" == e' });
    expect([alone.status, blamedFields(alone)]).toEqual([400, ['egress_worker_filter']]);
    const both = await patch(target, { worker_filter: null, egress_worker_filter: '"/name" == e' });
    expect(both.body).toMatchObject({ worker_filter: '', egress_worker_filter: '"/name" == e' });
    const back = await patch(both.body, { worker_filter: '"/name" == w' });
    expect([back.status, blamedFields(back)]).toEqual([400, ['worker_filter']]);
  });

  test('requires a bucket for recording, stored or in the same request', async () => {
    const target = await create({ type: 'ssh', attributes: {} });
    const refused = await patch(target, { attributes: { enable_session_recording: true } });
    expect(blamedFields(refused)).toEqual(['attributes.enable_session_recording']);
    const bucket = await patch(target, { attributes: { storage_bucket_id: 'sb_1234567890' } });
    expect((await patch(bucket.body, { attributes: { enable_session_recording: true } })).status).toBe(200);
  });

  test('may repeat the type, but not change it', async () => {
    const target = await create();
    expect((await patch(target, { type: 'tcp', description: 'x' })).status).toBe(200);
    const answer = await operator.patch(`/v1/targets/${textOf(target, 'id')}`, {
      version: 2,
      type: 'ssh',
      description: 'y',
    });
    expect([answer.status, blamedFields(answer)]).toEqual([400, ['type']]);
  });

  test.each([
    [{ scope_id: 'p_0000000000', host_source_ids: ['hsst_1234567890'] }],
    [{}],
    [{ type: 'tcp', id: 'x', created_time: 'x' }],
    [{ attributes: {} }],
  ])('that sets nothing is refused: %j', async (fields) => {
    const target = await create();
    const answer = await patch(target, fields);
    expect(answer).toMatchObject({
      status: 400,
      body: { kind: 'InvalidArgument', message: 'No valid fields included in the update mask.' },
    });
    expect(await read(target)).toEqual(target);
  });

  test.each([
    [{ name: null }, ['name']],
    [{ name: ' ' }, ['name']],
    [{ attributes: { default_port: null } }, ['attributes.default_port']],
    [{ attributes: { default_port: 0 } }, ['attributes.default_port']],
    [{ attributes: { color: 'red' } }, ['attributes']],
    [{ version: 0, name: 'x' }, ['version']],
    [{ version: undefined, name: 'x' }, ['version']],
    [{ version: null, name: 'x' }, ['version']],
    [{ version: '1', name: 'x' }, ['version']],
    [{ version: -1, name: 'x' }, ['version']],
    [
      { session_max_seconds: 0, session_connection_limit: 0 },
      ['session_connection_limit', 'session_max_seconds'],
    ],
    [{ address: 'x' }, ['address']],
    [{ worker_filter: '(' }, ['worker_filter']],
  ])('refuses %j', async (fields, blamed) => {
    const target = await create();
    const answer = await patch(target, fields);
    expect([answer.status, blamedFields(answer)]).toEqual([400, blamed]);
    expect(await read(target)).toEqual(target);
  });

  test("refuses a taken name, but accepts the target's own", async () => {
    const [one, two] = [await create(), await create()];
    const answer = await patch(two, { name: one['name'] });
    expect([answer.status, blamedFields(answer)]).toEqual([400, ['name']]);
    expect(await read(two)).toEqual(two);
    expect((await patch(two, { name: two['name'] })).status).toBe(200);
  });

  test.each([
    [{ name: 'other' }],
    [{ address: '10.9.9.9' }],
    [{ address: null }],
    [{ attributes: { default_port: 9 } }],
  ])('with a stale version changes nothing: %j', async (fields) => {
    const target = await create({ address: '10.0.0.1' });
    const current = (await patch(target, { description: 'meanwhile' })).body;
    const answer = await patch(target, fields);
    expect(answer).toMatchObject({
      status: 404,
      body: {
        kind: 'NotFound',
        message: `Target "${textOf(target, 'id')}" not found or incorrect version provided.`,
      },
    });
    expect(await read(target)).toEqual(current);
    expect((await patch({ ...target, version: 99 }, fields)).status).toBe(404);
  });

  test('lets exactly one of 20 writers with the same version win', async () => {
    const target = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        patch(target, { description: `writer ${n}`, attributes: { default_port: 100 + n } }),
      ),
    );
    const winners = answers.filter((answer) => answer.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 404)).toHaveLength(19);
    expect(await read(target)).toEqual(winners[0]?.body);
    expect((await read(target))['version']).toBe(2);
  });
});

describe('a target', () => {
  test('is gone after deletion, and its name is free', async () => {
    const target = await create();
    const path = `/v1/targets/${textOf(target, 'id')}`;
    const answer = await operator.delete(path);
    expect([answer.status, answer.body]).toEqual([204, {}]);
    expect((await operator.get(path)).status).toBe(404);
    expect((await operator.delete(path)).status).toBe(404);
    expect((await patch(target, { name: 'x' })).status).toBe(404);
    await create({ name: target['name'] });
  });

  test.each(['GET', 'PATCH', 'DELETE'])('with a malformed ID is refused by %s', async (method) => {
    for (const id of [
      'nonsense',
      'p_1234567890',
      'ttcp_123',
      'ttcp_12345678901',
      '%00',
      'ttcp_1234567890:nonsense',
    ]) {
      const answer = await operator.send(
        method,
        `/v1/targets/${id}`,
        method === 'PATCH' ? { version: 1, name: 'x' } : undefined,
      );
      expect([answer.status, blamedFields(answer)]).toEqual([400, ['id']]);
    }
  });

  test('answers other methods with 405 and the allowed methods', async () => {
    const answer = await operator.send('PUT', '/v1/targets/ttcp_1234567890', {});
    expect([answer.status, answer.headers.get('allow'), answer.body['kind']]).toEqual([
      405,
      'GET, PATCH, DELETE',
      'Method Not Allowed',
    ]);
    expect((await operator.send('DELETE', '/v1/targets')).status).toBe(405);
    expect((await operator.get('/v1/targets/ttcp_1234567890:authorize-session')).status).toBe(405);
  });
});

describe('a body', () => {
  test.each([
    ['', 400],
    ['{', 400],
    ['[]', 400],
    ['null', 400],
    ['"text"', 400],
    ['{"name":"a","name":"b"}', 400],
    ['{"__proto__":{"name":"a"}}', 400],
    [`{"name":${'['.repeat(100)}${']'.repeat(100)}}`, 400],
    [JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 413],
  ])('%.30j is refused', async (body, status) => {
    const answer = await operator.send('POST', '/v1/targets', body);
    expect([answer.status, answer.body['kind']]).toEqual([status, 'InvalidArgument']);
  });

  test('with another content type is refused', async () => {
    const response = await fetch(`${controller.url}/v1/targets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token ?? ''}`, 'content-type': 'text/plain' },
      body: '{}',
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ kind: 'InvalidArgument' });
  });
});
