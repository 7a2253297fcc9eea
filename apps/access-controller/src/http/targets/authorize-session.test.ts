import { join } from 'node:path';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { credentialsStore } from '../../store/credentials.ts';
import { openDatabase } from '../../store/database.ts';
import { openVault } from '../../store/vault.ts';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { SourceMaker, generatedProject } from '../../testing/sources.ts';

let controller: TestController;
let administrator: Client;
let operator: Client;
let make: SourceMaker;
let catalog: string;
beforeAll(async () => {
  controller = await startController();
  administrator = await controller.as('administrator');
  operator = await controller.as('operator');
  make = new SourceMaker(controller, operator);
  catalog = await make.catalog();
});
afterAll(() => controller[Symbol.asyncDispose]());

const authorize = (id: string, body: unknown = {}): Promise<Answer> =>
  operator.post(`/v1/targets/${encodeURIComponent(id)}:authorize-session`, body);
const idOf = (target: Wire): string => textOf(target, 'id');
const link = async (target: Wire, verb: string, fields: Wire): Promise<Wire> => {
  const answer = await operator.post(`/v1/targets/${idOf(target)}:${verb}`, {
    version: target['version'],
    ...fields,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const newProject = async (name: string): Promise<string> =>
  textOf((await administrator.post('/v1/scopes', { scope_id: 'o_1234567890', name })).body, 'id');

test('a session on a target with an address has every field', async () => {
  const target = await make.target({
    type: 'tcp',
    address: '2001:db8::1',
    attributes: { default_port: 5432 },
    session_max_seconds: 60,
    session_connection_limit: 3,
  });
  const now = controller.clock.now();
  const answer = await authorize(idOf(target));
  expect(answer).toEqual({
    status: 200,
    headers: expect.anything(),
    body: {
      session_id: expect.stringMatching(/^s_[0-9A-Za-z]{10}$/),
      target_id: idOf(target),
      scope: target['scope'],
      created_time: new Date(now).toISOString(),
      user_id: expect.stringMatching(/^u_/),
      host_set_id: '',
      host_id: '',
      type: 'tcp',
      authorization_token: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
      connection_limit: 3,
      endpoint: 'tcp://[2001:db8::1]:5432',
      endpoint_port: 5432,
      expiration: new Date(now + 60_000).toISOString(),
      credentials: [],
    },
  });
  const { authorization_token: token, credentials: _, ...facts } = answer.body;
  const [payload] = String(token).split('.');
  expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toEqual(facts);

  const session = await operator.get(`/v1/sessions/${textOf(answer.body, 'session_id')}`);
  expect(session.body).toMatchObject({
    target_id: idOf(target),
    user_id: answer.body['user_id'],
    endpoint: answer.body['endpoint'],
    expiration_time: answer.body['expiration'],
    connection_limit: 3,
    status: 'pending',
  });
});

test('accepts a request without a body, and leaves the target unchanged', async () => {
  const target = await make.target({ address: 'db.example' });
  const answer = await operator.send('POST', `/v1/targets/${idOf(target)}:authorize-session`);
  expect(answer.body).toMatchObject({ endpoint: 'tcp://db.example:22', type: 'ssh', connection_limit: -1 });
  expect((await operator.get(`/v1/targets/${idOf(target)}`)).body).toEqual(target);
});

describe('by name', () => {
  test.each(['plain', 'with spaces', 'a/b', 'ü%20:authorize-session', '..', 'tssh_1234567890', '?#'])(
    '%j in a project',
    async (name) => {
      const target = await make.target({ name, address: '10.0.0.1' });
      for (const project of [{ scope_id: generatedProject }, { scope_name: 'Generated project scope' }]) {
        const answer = await authorize(name, { name, ...project });
        expect(answer).toMatchObject({ status: 200, body: { target_id: idOf(target) } });
      }
    },
  );

  test('requires the name in path and body, and either scope ID or scope name', async () => {
    const target = await make.target({ name: 'named', address: '10.0.0.1' });
    const wrong: readonly (readonly [string, Wire, readonly string[]])[] = [
      ['named', {}, ['id']],
      ['named', { scope_id: generatedProject }, ['id', 'scope_id']],
      ['named', { scope_name: 'x' }, ['id', 'scope_name']],
      [idOf(target), { scope_id: generatedProject }, ['scope_id']],
      [idOf(target), { name: 'named', scope_id: generatedProject }, ['name']],
      ['named', { name: 'named' }, ['scope_id', 'scope_name']],
      ['named', { name: 'named', scope_id: generatedProject, scope_name: 'x' }, ['scope_id', 'scope_name']],
      ['named', { name: 'named', scope_id: 'o_1234567890' }, ['scope_id']],
      ['named', { name: 5 }, ['id', 'name']],
      ['named', { name: 'named', scope_id: generatedProject, host_id: 'x' }, ['host_id']],
    ];
    for (const [id, body, blamed] of wrong) {
      const refused = await authorize(id, body);
      expect([body, refused.status, blamedFields(refused)]).toEqual([body, 400, blamed]);
    }
    for (const body of [
      { name: 'unknown', scope_id: generatedProject },
      { name: 'named', scope_id: 'p_0000000000' },
      { name: 'named', scope_name: 'unknown' },
    ]) {
      expect((await authorize(body.name, body)).status).toBe(404);
    }
    expect((await authorize('tssh_0000000000')).status).toBe(404);
  });

  test('refuses a target name that is ambiguous between projects of the same name', async () => {
    const org = textOf(
      (await administrator.post('/v1/scopes', { scope_id: 'global', name: 'twin' })).body,
      'id',
    );
    const one = await newProject('twin');
    const two = textOf((await administrator.post('/v1/scopes', { scope_id: org, name: 'twin' })).body, 'id');
    const target = await make.target({ scope_id: one, name: 'same', address: '10.0.0.1' });
    expect((await authorize('same', { name: 'same', scope_name: 'twin' })).body['target_id']).toBe(
      idOf(target),
    );
    await make.target({ scope_id: two, name: 'same', address: '10.0.0.1' });
    expect(blamedFields(await authorize('same', { name: 'same', scope_name: 'twin' }))).toEqual([
      'scope_name',
    ]);
  });
});

describe('the host', () => {
  test("comes from the target's host sets; a requested one must be in them", async () => {
    const hosts = [await make.host(catalog, '10.0.0.1'), await make.host(catalog, '10.0.0.2')];
    const outside = await make.host(catalog, '10.0.0.3');
    const sets = [await make.set(catalog, hosts.slice(0, 1)), await make.set(catalog, hosts.slice(1))];
    const target = await link(await make.target(), 'add-host-sources', { host_source_ids: sets });
    const seen = new Set<string>();
    for (let n = 0; n < 200 && seen.size < 2; n++) {
      const { body } = await authorize(idOf(target));
      const at = hosts.indexOf(textOf(body, 'host_id'));
      expect([body['host_set_id'], body['endpoint']]).toEqual([sets[at], `tcp://10.0.0.${at + 1}:22`]);
      seen.add(textOf(body, 'host_id'));
    }
    expect(seen.size).toBe(2);
    for (const [at, host_id] of hosts.entries()) {
      expect((await authorize(idOf(target), { host_id })).body).toMatchObject({
        host_id,
        host_set_id: sets[at],
        endpoint: `tcp://10.0.0.${at + 1}:22`,
      });
    }
    for (const host_id of [outside, 'hst_0000000000', 'hsst_1234567890', 7]) {
      const refused = await authorize(idOf(target), { host_id });
      expect([refused.status, blamedFields(refused)]).toEqual([400, ['host_id']]);
    }
  });

  test('is refused without sources or address, with empty sets, or if requested for a target with an address', async () => {
    const target = await make.target();
    expect(await authorize(idOf(target))).toMatchObject({
      status: 404,
      body: { kind: 'NotFound', message: 'No host sources or address found for given target.' },
    });
    const linked = await link(target, 'add-host-sources', { host_source_ids: [await make.set(catalog)] });
    expect((await authorize(idOf(linked))).status).toBe(404);
    expect((await authorize(idOf(linked), { host_id: 'hst_1234567890' })).status).toBe(404);
    const addressed = await make.target({ address: '10.0.0.1' });
    expect(blamedFields(await authorize(idOf(addressed), { host_id: 'hst_1234567890' }))).toEqual([
      'host_id',
    ]);
  });
});

describe('the credentials', () => {
  let store: string;
  beforeEach(async () => {
    store = await make.store();
  });

  test.each([
    ['username_password', { username: 'root', password: 'p' }],
    ['username_password_domain', { username: 'root', domain: 'example.com', password: 'p' }],
    ['password', { password: 'p' }],
    [
      'ssh_private_key',
      { username: 'root', private_key: '-----BEGIN PRIVATE KEY-----\nYQ==\n-----END PRIVATE KEY-----' },
    ],
  ])('of type %s include their secrets when brokered', async (type, attributes) => {
    const id = await make.credential(store, { type, attributes, name: type, description: 'd' });
    const target = await link(await make.target({ address: '10.0.0.1' }), 'add-credential-sources', {
      brokered_credential_source_ids: [id],
    });
    expect((await authorize(idOf(target))).body['credentials']).toEqual([
      {
        purpose: 'brokered',
        credential_source: {
          id,
          name: type,
          description: 'd',
          credential_store_id: store,
          type: 'static',
          credential_type: type,
        },
        secret: {
          raw: Buffer.from(JSON.stringify(attributes)).toString('base64'),
          decoded: attributes,
        },
        credential: attributes,
      },
    ]);
  });

  test('of two kinds are returned, except the injected ones', async () => {
    const object = { token: 'canary', nested: { list: [1, 2.5, null] } };
    const json = await make.credential(store, { type: 'json', attributes: { object } });
    const secret = await make.credential(store, { attributes: { username: 'root', password: 'hidden' } });
    const target = await link(await make.target({ address: '10.0.0.1' }), 'add-credential-sources', {
      application_credential_source_ids: [json],
      brokered_credential_source_ids: [json],
      injected_application_credential_source_ids: [secret],
    });
    const { body } = await authorize(idOf(target));
    const raw = Buffer.from(JSON.stringify(object)).toString('base64');
    expect(body['credentials']).toMatchObject([
      {
        purpose: 'application',
        credential_source: { id: json },
        secret: { raw, decoded: object },
        credential: object,
      },
      {
        purpose: 'brokered',
        credential_source: { id: json },
        secret: { raw, decoded: object },
        credential: object,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(JSON.stringify(body)).not.toContain('hidden');
  });

  const objectOf = (bytes: number): Wire => ({ a: 'x'.repeat(bytes) });
  /** A target with a JSON credential of `bytes` for two purposes, stored as if there were no limit. */
  const targetWith = async (bytes: number): Promise<string> => {
    const id = await make.credential(store, { type: 'json', attributes: { object: { a: '' } } });
    const database = openDatabase(controller.dataDir);
    const vault = await openVault(
      database,
      keyRingFromFile(join(controller.dataDir, 'access-controller-keys.json')),
    );
    await credentialsStore(database).change(id, 1, (stored) => ({
      ...stored,
      sealed: vault.seal(id, { object: objectOf(bytes) }),
    }));
    await database.close();
    const target = await link(await make.target({ address: '10.0.0.1' }), 'add-credential-sources', {
      application_credential_source_ids: [id],
      brokered_credential_source_ids: [id],
    });
    return idOf(target);
  };

  test('that were stored before secrets had a limit can still be used', async () => {
    const { status, body } = await authorize(await targetWith(1_000_000));
    expect(status).toBe(200);
    expect(body['credentials']).toMatchObject([
      { credential: objectOf(1_000_000) },
      { credential: objectOf(1_000_000) },
    ]);
  });

  test('can be 4 MiB together; larger ones are refused, and no session is stored', async () => {
    const half = 2 * 1024 * 1024;
    expect((await authorize(await targetWith(half - 1024))).status).toBe(200);
    const target = await targetWith(half);
    expect(await authorize(target)).toMatchObject({
      status: 400,
      body: {
        kind: 'FailedPrecondition',
        message:
          "The target's credentials are larger than 4 MiB together, which is the most that a session can have. Remove some of its credential sources, or store smaller credentials.",
      },
    });
    const of = encodeURIComponent(`"/item/target_id" == "${target}"`);
    const listed = await administrator.get(`/v1/sessions?recursive=true&filter=${of}`);
    expect(itemsOf(listed)).toEqual([]);
  });
});
