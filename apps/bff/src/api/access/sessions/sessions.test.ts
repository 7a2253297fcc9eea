import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';

const access = '/api/environments/test/access';
let embedded: EmbeddedConsole;
let admin: Browser;
let operator: Browser;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbedded();
});
beforeEach(async () => {
  admin = await embedded.signedIn();
  operator = await embedded.signedIn('operator');
});
afterAll(() => embedded.close());

async function create(
  collection: string,
  body: Record<string, unknown>,
): Promise<{ id: string; name: string }> {
  const answer = await admin.send('POST', `${access}/${collection}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { id: string; name: string };
}
const newTarget = (fields: Record<string, unknown> = {}) =>
  create('targets', {
    scope_id: 'p_1234567890',
    type: 'tcp',
    name: `target ${++count}`,
    attributes: { default_port: 5432 },
    ...fields,
  });
const authorize = (target: { id: string }, body: unknown = {}, by = operator): Promise<BrowserAnswer> =>
  by.send('POST', `${access}/targets/${target.id}/authorize-session`, { body });

describe('authorizing', () => {
  test('for an address returns every field and the brokered credentials', async () => {
    const target = await newTarget({
      type: 'ssh',
      address: 'db.example',
      session_max_seconds: 600,
      session_connection_limit: 3,
    });
    const store = await create('credential-stores', {
      scope_id: 'p_1234567890',
      type: 'static',
      name: `s ${++count}`,
    });
    const [brokered, injected] = [
      await create('credentials', {
        credential_store_id: store.id,
        type: 'username_password',
        name: `c ${++count}`,
        attributes: { username: 'app', password: 'brokered-canary' },
      }),
      await create('credentials', {
        credential_store_id: store.id,
        type: 'username_password',
        attributes: { username: 'root', password: 'injected-canary' },
      }),
    ];
    await admin.send('POST', `${access}/targets/${target.id}/credential-sources`, {
      revision: '1',
      body: {
        action: 'add',
        brokered_credential_source_ids: [brokered.id],
        injected_application_credential_source_ids: [injected.id],
      },
    });
    const answer = await authorize(target);
    expect(answer.json, answer.text).toMatchObject({
      session_id: expect.stringMatching(/^s_/),
      target_id: target.id,
      scope: { id: 'p_1234567890', type: 'project' },
      user_id: expect.stringMatching(/^u_/),
      host_id: '',
      host_set_id: '',
      type: 'ssh',
      endpoint: 'tcp://db.example:5432',
      endpoint_port: 5432,
      connection_limit: 3,
    });
    expect(String(answer.json['authorization_token'])).toMatch(/./);
    const { created_time, expiration, credentials } = answer.json as {
      created_time: string;
      expiration: string;
      credentials: { credential_source: { id: string }; credential: unknown }[];
    };
    expect(Date.parse(expiration) - Date.parse(created_time)).toBe(600_000);
    expect(credentials).toMatchObject([
      {
        credential_source: {
          id: brokered.id,
          credential_store_id: store.id,
          credential_type: 'username_password',
        },
        credential: { username: 'app', password: 'brokered-canary' },
      },
    ]);
    expect(answer.text).not.toContain('injected-canary');
  });

  test('on a target whose credentials are too large says so', async () => {
    const target = await newTarget({ address: 'db.example' });
    const store = await create('credential-stores', {
      scope_id: 'p_1234567890',
      type: 'static',
      name: `s ${++count}`,
    });
    const ids = await Promise.all(
      Array.from({ length: 33 }, async () => {
        const object = JSON.stringify({ a: 'x'.repeat(65_000) });
        const body = { credential_store_id: store.id, type: 'json', attributes: { object } };
        return (await create('credentials', body)).id;
      }),
    );
    const linked = await admin.send('POST', `${access}/targets/${target.id}/credential-sources`, {
      revision: '1',
      body: { action: 'add', brokered_credential_source_ids: ids, application_credential_source_ids: ids },
    });
    expect(linked.status, linked.text).toBe(200);
    const refused = await authorize(target);
    expect([refused.status, refused.json['detail'], refused.json['fields']]).toEqual([
      400,
      expect.stringContaining("The target's credentials are larger than 4 MiB together"),
      undefined,
    ]);
  });

  test("for a chosen host of a host set, and refuses another set's host beside the field", async () => {
    const catalog = await create('host-catalogs', { scope_id: 'p_1234567890', name: `catalog ${++count}` });
    const set = await create('host-sets', { host_catalog_id: catalog.id, name: `set ${++count}` });
    const hosts = await Promise.all(
      ['10.0.0.1', '10.0.0.2'].map((address) =>
        create('hosts', { host_catalog_id: catalog.id, attributes: { address } }),
      ),
    );
    const [, second] = hosts;
    await admin.send('POST', `${access}/host-sets/${set.id}/hosts`, {
      revision: '1',
      body: { action: 'add', host_ids: hosts.map(({ id }) => id) },
    });
    const target = await newTarget();
    await admin.send('POST', `${access}/targets/${target.id}/host-sources`, {
      revision: '1',
      body: { action: 'add', host_source_ids: [set.id] },
    });
    expect((await authorize(target, { host_id: second?.id })).json).toMatchObject({
      host_id: second?.id,
      host_set_id: set.id,
      endpoint: 'tcp://10.0.0.2:5432',
    });
    expect((await authorize(target, { host_id: 'hst_0000000000' })).json).toMatchObject({
      status: 400,
      fields: [{ path: 'host_id' }],
    });
  });

  test("by name requires the scope's ID or name, but not both", async () => {
    const target = await newTarget({ name: `by name ${++count} 100%/..`, address: '10.0.0.1' });
    const byName = (body: unknown) => operator.send('POST', `${access}/authorize-session`, { body });
    const scopes = (await operator.send('GET', `${access}/scopes`)).json['items'] as {
      id: string;
      name: string;
    }[];
    const scope_name = scopes.find(({ id }) => id === 'p_1234567890')?.name;
    // A path of the controller can't contain a slash, so such a name is refused rather than read as another path.
    expect((await byName({ name: target.name, scope_id: 'p_1234567890' })).status).toBe(400);
    const plain = await newTarget({ name: `by name ${++count} 100%`, address: '10.0.0.1' });
    for (const scope of [{ scope_id: 'p_1234567890' }, { scope_name }]) {
      const answer = await byName({ name: plain.name, ...scope });
      expect(answer.json, answer.text).toMatchObject({ target_id: plain.id });
    }
    for (const scope of [{}, { scope_id: 'p_1234567890', scope_name }]) {
      expect((await byName({ name: plain.name, ...scope })).json).toMatchObject({
        status: 400,
        fields: [{ path: 'scope_id' }],
      });
    }
    expect((await byName({ name: 'nobody', scope_id: 'p_1234567890' })).json).toMatchObject({ status: 404 });
  });

  test('reports that there is nothing to connect to', async () => {
    expect((await authorize(await newTarget())).json).toMatchObject({
      status: 400,
      code: 'invalid-request',
      detail: expect.stringMatching(/neither an address nor a host/),
    });
    expect((await authorize({ id: 'ttcp_0000000000' })).json).toMatchObject({
      status: 404,
      code: 'not-found',
    });
  });
});

describe('sessions', () => {
  const list = async (by: Browser, query = '') =>
    (await by.send('GET', `${access}/sessions?scope_id=global&recursive=true${query}`)).json['items'] as {
      id: string;
      [field: string]: unknown;
    }[];
  const cancel = (id: unknown, revision: string, by = operator) =>
    by.send('POST', `${access}/sessions/${String(id)}/cancel`, { revision });

  test("are listed with the names of target and user: a user's own, or all for an administrator", async () => {
    const target = await newTarget({ address: '10.0.0.1' });
    const own = (await authorize(target)).json['session_id'];
    const others = (await authorize(target, {}, admin)).json['session_id'];
    const seen = await list(operator);
    expect(seen.map(({ id }) => id)).toContain(own);
    expect(seen.map(({ id }) => id)).not.toContain(others);
    const all = await list(admin);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([own, others]));
    const session = all.find(({ id }) => id === own);
    expect(session).toMatchObject({
      target_id: target.id,
      target_name: target.name,
      user_name: expect.stringMatching(/./),
      status: 'pending',
      endpoint: 'tcp://10.0.0.1:5432',
      connection_limit: -1,
      termination_reason: '',
      states: [{ status: 'pending', end_time: '' }],
    });
    expect((await admin.send('GET', `${access}/sessions/${String(own)}`)).json).toEqual(session);
  });

  test('are canceled once, at the revision that the user saw', async () => {
    const id = (await authorize(await newTarget({ address: '10.0.0.1' }))).json['session_id'];
    const canceled = await cancel(id, '1');
    expect(canceled.json).toMatchObject({ status: 'canceling', revision: '2' });
    // The session is ending, as requested, no matter who ended it.
    expect((await cancel(id, '1')).json).toMatchObject({ status: 'canceling' });
    embedded.console.clock.advance(1_000);
    expect((await cancel(id, '1')).json).toMatchObject({
      status: 'terminated',
      termination_reason: 'canceled',
    });
    expect((await cancel(id, '3')).json).toMatchObject({
      status: 400,
      detail: 'The session has already ended.',
    });
    expect((await list(operator)).map((one) => one.id)).not.toContain(id);
    expect((await list(operator, '&include_terminated=true')).map((one) => one.id)).toContain(id);
  });

  test("of other users can't be seen or canceled by an operator", async () => {
    const id = (await authorize(await newTarget({ address: '10.0.0.1' }), {}, admin)).json['session_id'];
    expect((await operator.send('GET', `${access}/sessions/${String(id)}`)).json).toMatchObject({
      status: 403,
    });
    expect((await cancel(id, '1')).json).toMatchObject({ status: 403, code: 'forbidden' });
    expect((await cancel(id, '1', admin)).json).toMatchObject({ status: 'canceling' });
  });
});
