import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

const targets = '/api/environments/test/access/targets';

describe('a real controller', () => {
  let controller: BoundaryController;
  let console: TestConsole;
  let page: Browser;

  beforeAll(async () => {
    controller = await boundaryController();
    console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
    page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
  });
  afterAll(async () => {
    await console.close();
    await controller.close();
  });
  beforeEach(() => {
    controller.targets.clear();
    controller.intercept = undefined;
    controller.afterWrite = undefined;
    controller.pageSize = 1000;
    controller.targets.set('ttcp_0000000001', boundaryTarget('ttcp_0000000001', { name: 'db', version: 3 }));
  });

  test('omits zero values, and the console still answers with every field', async () => {
    const answer = await page.send('GET', `${targets}/ttcp_0000000001`);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      id: 'ttcp_0000000001',
      revision: '3',
      description: '',
      address: '',
      worker_filter: '',
      attributes: { default_port: 22, default_client_port: null },
      host_source_ids: [],
      session_connection_limit: -1,
    });
  });

  test('is asked for the names in a list of sessions at intervals, not for every list', async () => {
    const sessions = ['s_1', 's_2'].map((id) => ({
      id,
      target_id: 'ttcp_0000000001',
      user_id: 'u_gone',
      scope_id: 'p_1234567890',
      version: 1,
      created_time: '2026-01-01T00:00:00Z',
      updated_time: '2026-01-01T00:00:00Z',
      status: 'active',
    }));
    let asked: string[] = [];
    let isBroken = true;
    controller.intercept = ({ path }, res) => {
      const named = /^\/v1\/(?:targets|users)\/(\w+)/.exec(path)?.[1];
      if (named !== undefined) asked.push(named);
      const answer = (status: number, body: unknown): boolean => {
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        return true;
      };
      if (named !== undefined && isBroken) return answer(500, { kind: 'Internal', message: 'later' });
      return (
        path.startsWith('/v1/sessions') &&
        answer(200, { items: sessions, response_type: 'complete', est_item_count: 2 })
      );
    };
    const listed = async (by = page): Promise<unknown> => {
      asked = [];
      const { json } = await by.send('GET', '/api/environments/test/access/sessions?scope_id=global');
      return (json['items'] as Record<string, unknown>[]).map((item) => [
        item['target_name'],
        item['user_name'],
      ]);
    };
    const rename = (name: string) =>
      controller.targets.set('ttcp_0000000001', boundaryTarget('ttcp_0000000001', { name }));
    const each = (name: string) => sessions.map(() => [name, '']);

    // Names that failed are requested again. Names that are missing or hidden from this user are remembered as such.
    expect(await listed()).toEqual(each(''));
    isBroken = false;
    expect(await listed()).toEqual(each('db'));
    expect(asked.toSorted()).toEqual(['ttcp_0000000001', 'u_gone']);
    rename('db of today');
    expect(await listed()).toEqual(each('db'));
    expect(asked).toEqual([]);
    const other = console.browser();
    await signInAs(other, 'admin', boundaryPassword);
    expect(await listed(other)).toEqual(each('db of today'));
    console.clock.advance(30_000);
    expect(await listed()).toEqual(each('db of today'));
  });

  test('a stale change of sources, which Boundary answers with 500 or 400, is a conflict', async () => {
    const change = (revision: string, action: string, ...host_source_ids: string[]) =>
      page.send('POST', `${targets}/ttcp_0000000001/host-sources`, {
        revision,
        body: { action, host_source_ids },
      });
    expect((await change('3', 'add', 'hsst_1')).json).toMatchObject({
      revision: '4',
      host_source_ids: ['hsst_1'],
    });
    for (const [action, ids] of [
      ['add', ['hsst_1', 'hsst_2']],
      ['remove', ['hsst_1', 'hsst_3']],
      ['set', []],
    ] as const) {
      expect((await change('3', action, ...ids)).json).toMatchObject({
        status: 409,
        code: 'conflict',
        conflict: { reason: 'modified', currentRevision: '4', current: { host_source_ids: ['hsst_1'] } },
      });
    }
    // Another client writes between the console's read and its write.
    controller.intercept = ({ method }) => {
      if (method === 'POST') {
        controller.targets.set(
          'ttcp_0000000001',
          boundaryTarget('ttcp_0000000001', { version: 5, host_source_ids: ['hsst_9'] }),
        );
      }
      return false;
    };
    expect((await change('4', 'set', 'hsst_2')).json).toMatchObject({
      status: 409,
      conflict: { current: { host_source_ids: ['hsst_9'] } },
    });
    controller.intercept = undefined;
    expect((await change('5', 'add', 'hsst_9')).json).toMatchObject({ status: 400 });
    controller.afterWrite = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await change('5', 'add', 'hsst_2')).json).toMatchObject({
      revision: '6',
      host_source_ids: ['hsst_9', 'hsst_2'],
    });
  });

  test.each([
    ['address', { address: 'https://evil.example' }],
    ['path of the address', { address: 'https://vault.example:8200/evil' }],
    ['namespace', { namespace: 'evil' }],
    ['namespace, cleared', { namespace: '' }],
    ['CA certificate', { ca_cert: '' }],
    ['server name', { tls_server_name: 'evil.example' }],
    ['check of the certificate', { tls_skip_verify: true }],
    ['client certificate', { client_certificate: pem('CERTIFICATE', 'AAAB') }],
  ])(
    'would keep the token of a store whose %s changes, so the console requires it again',
    async (_what, attributes) => {
      const { change, sent } = storeOf(controller, page);
      const both = [
        { path: 'attributes.token', message: expect.stringContaining('again') as string },
        { path: 'attributes.client_certificate_key', message: expect.stringContaining('again') as string },
      ];
      expect((await change(attributes)).json).toMatchObject({ code: 'invalid-request', fields: both });
      const one = await change({ ...attributes, token: 'hvs.new' });
      expect(one.json['fields']).toEqual(both.slice(1));
      const key = pem('PRIVATE KEY', 'AAAB');
      const other = await change({ ...attributes, client_certificate_key: key });
      expect(other.json['fields']).toEqual(both.slice(0, 1));
      expect(sent).toEqual([]);
      const given = await change({ ...attributes, token: 'hvs.new', client_certificate_key: key });
      expect(given.status, given.text).toBe(200);
      expect(sent).toHaveLength(1);
    },
  );

  test.each([undefined, null, {}])(
    'shows no attributes of a store (%o), so its connection changes only with all its secrets',
    async (told) => {
      const { change, sent, store } = storeOf(controller, page);
      Object.assign(store, { attributes: told });
      for (const attributes of [{ namespace: '' }, { ca_cert: '' }, { tls_skip_verify: false }]) {
        expect((await change(attributes)).json).toMatchObject({
          fields: [{ path: 'attributes.token' }, { path: 'attributes.client_certificate_key' }],
        });
      }
      expect((await change({ client_certificate: '' })).json['fields']).toMatchObject([
        { path: 'attributes.token' },
      ]);
      expect(sent).toEqual([]);
      expect((await change({ token: 'hvs.new' })).status).toBe(200);
    },
  );

  test('accepts changes of a store without its token if the connection stays the same', async () => {
    const { change, sent } = storeOf(controller, page);
    for (const attributes of [
      undefined,
      { token: 'hvs.new' },
      { address: ' https://vault.example:8200 ', namespace: 'team', tls_skip_verify: false },
    ]) {
      const answer = await change(attributes);
      expect(answer.status, answer.text).toBe(200);
    }
    // Without the certificate, no key is required.
    expect((await change({ client_certificate: '', token: 'hvs.new' })).status).toBe(200);
    expect(sent).toHaveLength(4);
    // A change based on another version is a conflict.
    const stale = await change({ address: 'https://evil.example' }, '1');
    expect(stale.json).toMatchObject({ code: 'conflict', conflict: { currentRevision: '2' } });
    expect(sent).toHaveLength(4);
  });

  test('has no application credential sources, so the console neither sends nor accepts any', async () => {
    const change = (revision: string, body: object) =>
      page.send('POST', `${targets}/ttcp_0000000001/credential-sources`, { revision, body });
    const added = await change('3', {
      action: 'add',
      injected_application_credential_source_ids: ['credup_1'],
    });
    expect(added.json).toMatchObject({ injected_application_credential_source_ids: ['credup_1'] });
    const set = await change('4', { action: 'set', brokered_credential_source_ids: ['credup_2'] });
    expect(set.json).toMatchObject({
      brokered_credential_source_ids: ['credup_2'],
      injected_application_credential_source_ids: ['credup_1'],
    });
    const sent = controller.seen.filter(({ path }) => path.endsWith('credential-sources'));
    expect(sent.map(({ body }) => body).join()).not.toContain('"application_');
    const refused = await change('5', { action: 'add', application_credential_source_ids: ['credup_3'] });
    expect(refused.json).toMatchObject({
      status: 400,
      fields: [{ path: 'application_credential_source_ids' }],
    });
    expect(controller.seen.filter(({ path }) => path.endsWith('credential-sources'))).toHaveLength(
      sent.length,
    );
  });

  test('pages with list tokens', async () => {
    controller.pageSize = 2;
    for (const n of [2, 3, 4, 5])
      controller.targets.set(`ttcp_000000000${n}`, boundaryTarget(`ttcp_000000000${n}`));
    const names: unknown[] = [];
    let token: unknown = '';
    do {
      const answer = await page.send(
        'GET',
        `${targets}?scope_id=p_1234567890${token === '' ? '' : `&page_token=${String(token)}`}`,
      );
      expect(answer.status).toBe(200);
      names.push(...(answer.json['items'] as { name: string }[]).map(({ name }) => name));
      token = answer.json['next_page_token'] ?? '';
    } while (token !== '');
    expect(names).toEqual(['db', 'ttcp_0000000002', 'ttcp_0000000003', 'ttcp_0000000004', 'ttcp_0000000005']);
  });

  test('that answers with another record is refused', async () => {
    controller.targets.set('ttcp_0000000002', boundaryTarget('ttcp_0000000002', { name: 'other' }));
    const other = JSON.stringify(controller.targets.get('ttcp_0000000002'));
    controller.intercept = ({ path }, res) => {
      if (!path.startsWith('/v1/targets/ttcp_0000000001')) return false;
      res.writeHead(200, { 'content-type': 'application/json' }).end(other);
      return true;
    };
    const { status, json } = await page.send('GET', `${targets}/ttcp_0000000001`);
    expect([status, json['detail']]).toEqual([
      502,
      "The access controller's answer contains a target with another ID.",
    ]);
  });

  test.each([
    ['too many small pages', 0, 12, 'The access controller sends a list in too many small pages.'],
    [
      'too many records',
      5_000,
      5,
      'The access controller has more than 20,000 scopes, which is more than the console supports.',
    ],
  ])('an endless list of scopes is refused: %s', async (_, pageSize, mostPages, detail) => {
    let pages = 0;
    controller.intercept = ({ path }, res) => {
      if (!path.startsWith('/v1/scopes?')) return false;
      pages += 1;
      const items = Array.from({ length: pageSize }, (_item, at) => ({
        id: `o_${String(pages)}_${String(at)}`,
        type: 'org',
      }));
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items, response_type: 'delta', list_token: 'more' }));
      return true;
    };
    const { status, json } = await page.send('GET', '/api/environments/test/access/scopes');
    expect([status, json['detail']]).toEqual([502, detail]);
    expect(pages).toBeLessThanOrEqual(mostPages);
  });

  test('an endless list of scopes is refused, also if its pages are long and have no records', async () => {
    let pages = 0;
    controller.intercept = ({ path }, res) => {
      if (!path.startsWith('/v1/scopes?')) return false;
      pages += 1;
      const more = pages > 100 ? {} : { response_type: 'delta', list_token: 'more' };
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [], ...more, padding: 'x'.repeat(512 * 1024) }));
      return true;
    };
    const { status } = await page.send('GET', '/api/environments/test/access/scopes');
    expect([status, pages]).toEqual([502, 11]);
  });

  test('reads a list whose pages have few records because these are long', async () => {
    const pages = 30;
    let sent = 0;
    controller.intercept = ({ path }, res) => {
      if (!path.startsWith('/v1/scopes?')) return false;
      sent += 1;
      const item = { id: `o_${String(sent)}`, type: 'org', description: 'x'.repeat(512 * 1024) };
      const rest = sent < pages ? { response_type: 'delta', list_token: 'more' } : {};
      res
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ items: [item], ...rest }));
      return true;
    };
    const { status, json } = await page.send('GET', '/api/environments/test/access/scopes');
    expect([status, sent]).toEqual([200, pages]);
    expect(json['items']).toHaveLength(pages + 1);
  });

  test('reads a list without items as empty', async () => {
    controller.targets.clear();
    const answer = await page.send('GET', `${targets}?scope_id=p_1234567890`);
    expect(answer.json).toEqual({ items: [], est_item_count: 0 });
  });

  const patch = (body: unknown, revision = '3') =>
    page.send('PATCH', `${targets}/ttcp_0000000001`, { body, revision });
  const stored = () => controller.targets.get('ttcp_0000000001');

  test('answers a stale version with 404, and the console reports the stored record', async () => {
    controller.targets.set(
      'ttcp_0000000001',
      boundaryTarget('ttcp_0000000001', { name: 'theirs', version: 4 }),
    );
    expect((await patch({ description: 'mine' })).json).toMatchObject({
      status: 409,
      conflict: {
        reason: 'modified',
        expectedRevision: '3',
        currentRevision: '4',
        current: { name: 'theirs' },
      },
    });
  });

  test('answers a stale version with 500, and the console reports the stored record', async () => {
    controller.targets.set(
      'ttcp_0000000001',
      boundaryTarget('ttcp_0000000001', { name: 'theirs', version: 4 }),
    );
    controller.intercept = ({ method }, res) => {
      if (method !== 'PATCH') return false;
      res
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"kind":"Internal","message":"canary"}');
      return true;
    };
    const answer = await patch({ description: 'mine' });
    expect(answer.json).toMatchObject({ status: 409, conflict: { currentRevision: '4' } });
    expect(answer.text).not.toContain('canary');
    controller.targets.set('ttcp_0000000001', boundaryTarget('ttcp_0000000001', { version: 3 }));
    const failed = await patch({ description: 'mine' });
    expect(failed.json).toMatchObject({ status: 502, code: 'bad-answer' });
    expect(failed.text).not.toContain('canary');
  });

  test('stores the address of a stale update, so the console never sends one', async () => {
    controller.targets.set(
      'ttcp_0000000001',
      boundaryTarget('ttcp_0000000001', { address: 'theirs.example', version: 4 }),
    );
    for (const address of ['mine.example', '']) {
      expect((await patch({ address })).json).toMatchObject({
        status: 409,
        conflict: { current: { address: 'theirs.example' } },
      });
      expect(stored()).toMatchObject({ address: 'theirs.example', version: 4 });
    }
  });

  test('a write with a lost answer succeeds', async () => {
    controller.afterWrite = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await patch({ description: 'mine', address: '2001:DB8::1' })).json).toMatchObject({
      description: 'mine',
      revision: '4',
    });
    const made = await page.send('POST', targets, {
      body: { scope_id: 'p_1234567890', type: 'ssh', name: 'new', description: 'mine' },
    });
    expect(made.json).toMatchObject({ name: 'new', revision: '1' });
    expect((await page.send('DELETE', `${targets}/ttcp_0000000001`, { revision: '4' })).status).toBe(204);
    expect(stored()).toBeUndefined();
  });

  test('a lost write that someone else has changed since is a conflict, not a success', async () => {
    controller.afterWrite = (_req, res) => {
      controller.targets.set(
        'ttcp_0000000001',
        boundaryTarget('ttcp_0000000001', { description: 'theirs', version: 5 }),
      );
      res.destroy();
      return true;
    };
    expect((await patch({ description: 'mine' })).json).toMatchObject({
      status: 409,
      conflict: { currentRevision: '5' },
    });
  });

  test("a write that didn't arrive is repeated once", async () => {
    let cut = 1;
    controller.intercept = ({ method }, res) => {
      if (method !== 'PATCH' || cut === 0) return false;
      cut -= 1;
      res.destroy();
      return true;
    };
    expect((await patch({ description: 'mine' })).json).toMatchObject({ description: 'mine', revision: '4' });
  });

  test('a failure with an answer is reported unchanged if nothing was changed', async () => {
    controller.intercept = ({ method }, res) => {
      if (method === 'GET') return false;
      res.writeHead(503, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const body = { scope_id: 'p_1234567890', type: 'ssh', name: 'new' };
    expect((await patch({ description: 'mine' })).json).toMatchObject({
      status: 503,
      code: 'service-unavailable',
    });
    expect((await page.send('POST', targets, { body })).json).toMatchObject({ code: 'service-unavailable' });
    expect((await page.send('DELETE', `${targets}/ttcp_0000000001`, { revision: '3' })).json).toMatchObject({
      code: 'service-unavailable',
    });
  });

  test('the outcome is unknown if nothing responds any more', async () => {
    let down = false;
    controller.intercept = ({ method }, res) => {
      down ||= method !== 'GET';
      if (down) res.destroy();
      return down;
    };
    expect((await patch({ description: 'mine' })).json).toMatchObject({
      status: 502,
      code: 'outcome-unknown',
    });
    down = false;
    const body = { scope_id: 'p_1234567890', type: 'ssh', name: 'new' };
    expect((await page.send('POST', targets, { body })).json).toMatchObject({
      status: 502,
      code: 'outcome-unknown',
    });
    down = false;
    expect((await page.send('DELETE', `${targets}/ttcp_0000000001`, { revision: '3' })).json).toMatchObject({
      code: 'outcome-unknown',
    });
  });

  test('reports a duplicate name beside the field, though the controller names no field', async () => {
    const answer = await page.send('POST', targets, {
      body: { scope_id: 'p_1234567890', type: 'ssh', name: 'db' },
    });
    expect(answer.json).toMatchObject({ status: 400, fields: [{ path: 'name' }] });
  });

  test.each([
    ['This is a required field. canary', 'The access controller requires a value here.'],
    [
      'This is a read only field and canary cannot be set.',
      "The access controller doesn't allow this to be set or changed.",
    ],
    ['canary', 'The access controller refused this value.'],
  ])("replaces its words about a field (%s) with the console's", async (description, message) => {
    controller.intercept = ({ method }, res) => {
      if (method !== 'POST') return false;
      const details = { request_fields: [{ name: 'description', description }] };
      res.writeHead(400, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ kind: 'InvalidArgument', message: 'canary', details }));
      return true;
    };
    const answer = await page.send('POST', targets, {
      body: { scope_id: 'p_1234567890', type: 'ssh', name: 'new' },
    });
    expect(answer.json).toMatchObject({ status: 400, fields: [{ path: 'description', message }] });
    expect(answer.text).not.toContain('canary');
  });

  test('is sent the changed fields, and null for cleared ones', async () => {
    await patch({
      name: ' renamed ',
      description: '',
      session_max_seconds: null,
      attributes: { default_client_port: null },
    });
    const { body } = controller.seen.findLast(({ method }) => method === 'PATCH') ?? { body: '' };
    expect(JSON.parse(body)).toEqual({
      version: 3,
      name: 'renamed',
      description: null,
      session_max_seconds: null,
      attributes: { default_client_port: null },
    });
  });

  test('exchanges no header fields with the browser, in either direction', async () => {
    const answer = await page.send('GET', `${targets}/ttcp_0000000001`, {
      headers: {
        'x-forwarded-for': '203.0.113.1',
        'x-evil': 'canary',
        authorization: 'Bearer canary',
        'accept-language': 'en',
      },
    });
    expect(answer.status).toBe(200);
    const fields = Object.keys(answer.headers).sort();
    expect(fields).toEqual(
      [
        'cache-control',
        'connection',
        'content-length',
        'content-security-policy',
        'content-type',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
        'date',
        'keep-alive',
        'referrer-policy',
        'x-content-type-options',
        'x-frame-options',
        'x-request-id',
      ].sort(),
    );
    const sent = controller.seen.at(-1)?.headers ?? {};
    expect(Object.keys(sent).sort()).toEqual(
      [
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'host',
        'user-agent',
        'x-forwarded-for',
        'x-request-id',
      ].sort(),
    );
    // The console's own peer, whatever header the browser sent.
    expect(sent['x-forwarded-for']).toBe('127.0.0.1');
    expect(sent.authorization).toMatch(/^Bearer at_/);
    expect(sent.cookie).toBeUndefined();
  });

  test('its Retry-After is passed on', async () => {
    controller.intercept = (_req, res) => {
      res.writeHead(429, { 'content-type': 'application/json', 'retry-after': '7' }).end('{}');
      return true;
    };
    const answer = await page.send('GET', `${targets}/ttcp_0000000001`);
    expect(answer.json).toMatchObject({
      status: 429,
      code: 'rate-limited',
      retryAfterSeconds: 7,
      service: 'access',
    });
    expect(answer.headers['retry-after']).toBe('7');
  });
});

test('a sign-in answered without a token signs nobody in', async () => {
  const controller = await boundaryController();
  const console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  try {
    controller.intercept = (req, res) => {
      if (!req.path.endsWith(':authenticate')) return false;
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ attributes: { id: 'at_1', token: '', user_id: 'u_1', expiration_time: '' } }));
      return true;
    };
    const answer = await console.browser().send('POST', '/api/session', {
      body: {
        environment: 'test',
        service: 'access',
        credentials: { method: 'password', login_name: 'admin', password: boundaryPassword },
      },
    });
    expect(answer.json).toMatchObject({ code: 'bad-answer', service: 'access' });
  } finally {
    await console.close();
    await controller.close();
  }
});

const pem = (what: string, text: string): string => `-----BEGIN ${what}-----\n${text}\n-----END ${what}-----`;

/** A Vault store with a client certificate, at a controller that accepts every change of the store. */
function storeOf(controller: BoundaryController, page: Browser) {
  const path = '/v1/credential-stores/csvlt_1234567890';
  const sent: unknown[] = [];
  const store = {
    id: 'csvlt_1234567890',
    scope_id: 'p_1234567890',
    type: 'vault',
    version: 2,
    attributes: {
      address: 'https://vault.example:8200',
      namespace: 'team',
      ca_cert: pem('CERTIFICATE', 'AAAA'),
      client_certificate: pem('CERTIFICATE', 'AAAA'),
      client_certificate_key_hmac: 'hmac-of-the-key',
      token_hmac: 'hmac-of-the-token',
    },
  };
  controller.intercept = (req, res) => {
    if (req.path !== path) return false;
    if (req.method === 'PATCH') sent.push(JSON.parse(req.body));
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(store));
    return true;
  };
  return {
    sent,
    store,
    change: (attributes: unknown, revision = '2') =>
      page.send('PATCH', `/api/environments/test/access/credential-stores/${store.id}`, {
        revision,
        body: attributes === undefined ? { description: 'words' } : { attributes },
      }),
  };
}
