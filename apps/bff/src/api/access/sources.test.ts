import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { credential } from '@gatehouse/api-types/console/credential-sources';
import { target as targetSchema, targetPolicy, type Target } from '@gatehouse/api-types/console/targets';
import { merge } from '@gatehouse/record-merge';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';

const access = '/api/environments/test/access';
let embedded: EmbeddedConsole;
let page: Browser;
let other: Browser;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbedded();
  page = await embedded.signedIn();
  other = await embedded.signedIn('operator');
});
afterAll(() => embedded.close());

const madeSchema = z.looseObject({ id: z.string(), revision: z.string() });
type Made = z.output<typeof madeSchema>;

async function create(collection: string, fields: Record<string, unknown>, by = page): Promise<Made> {
  const answer = await by.send('POST', `${access}/${collection}`, { body: fields });
  expect(answer.status, answer.text).toBe(200);
  return z.parse(madeSchema, answer.json);
}
const named = (): string => `record ${++count}`;
const newCatalog = () => create('host-catalogs', { scope_id: 'p_1234567890', name: named() });
const newSet = (catalog: Made) => create('host-sets', { host_catalog_id: catalog.id, name: named() });
const newHost = (catalog: Made, address = '10.0.0.1') =>
  create('hosts', { host_catalog_id: catalog.id, attributes: { address } });
const newStore = () =>
  create('credential-stores', { scope_id: 'p_1234567890', type: 'static', name: named() });
const newCredential = (store: Made, fields: Record<string, unknown> = {}) =>
  create('credentials', {
    credential_store_id: store.id,
    type: 'username_password',
    name: named(),
    attributes: { username: 'app', password: 'canary-password' },
    ...fields,
  });
const newTarget = (fields: Record<string, unknown> = {}) =>
  create('targets', {
    scope_id: 'p_1234567890',
    type: 'tcp',
    name: named(),
    attributes: { default_port: 22 },
    ...fields,
  });
const post = (path: string, revision: string, body: unknown, by = page): Promise<BrowserAnswer> =>
  by.send('POST', `${access}/${path}`, { revision, body });

describe('host sources', () => {
  test('catalogs, sets and hosts can be created, read, changed, listed and deleted', async () => {
    const catalog = await newCatalog();
    expect(catalog).toMatchObject({ revision: '1', scope_id: 'p_1234567890', type: 'static' });
    const set = await newSet(catalog);
    const host = await newHost(catalog, 'db.example');
    expect(host).toMatchObject({ name: '', attributes: { address: 'db.example' }, host_set_ids: [] });
    const paths = [
      [
        'host-catalogs',
        catalog,
        `scope_id=p_1234567890&filter=${encodeURIComponent(`"/item/id" == "${catalog.id}"`)}`,
      ],
      ['host-sets', set, `host_catalog_id=${catalog.id}`],
      ['hosts', host, `host_catalog_id=${catalog.id}`],
    ] as const;
    for (const [path, made, query] of paths) {
      expect((await page.send('GET', `${access}/${path}?${query}`)).json['items']).toEqual([made]);
      const at = `${access}/${path}/${made.id}`;
      expect((await page.send('GET', at)).json).toEqual(made);
      const changed = await page.send('PATCH', at, { revision: '1', body: { description: 'changed' } });
      expect(changed.json).toMatchObject({ revision: '2', description: 'changed' });
      expect(
        (await page.send('PATCH', at, { revision: '1', body: { description: 'stale' } })).json,
      ).toMatchObject({
        status: 409,
        conflict: { reason: 'modified', current: { description: 'changed' } },
      });
    }
    const moved = await page.send('PATCH', `${access}/hosts/${host.id}`, {
      revision: '2',
      body: { attributes: { address: '2001:DB8::1' } },
    });
    expect(moved.json).toMatchObject({ attributes: { address: '2001:db8::1' } });
    for (const [path, made] of paths.toReversed()) {
      const at = `${access}/${path}/${made.id}`;
      expect((await page.send('DELETE', at, { revision: '1' })).json).toMatchObject({ status: 409 });
      const { json } = await page.send('GET', at);
      expect((await page.send('DELETE', at, { revision: String(json['revision']) })).status).toBe(204);
      expect((await page.send('GET', at)).status).toBe(404);
    }
  });

  test('hosts of a set can be added, removed and set, and a stale request changes nothing', async () => {
    const catalog = await newCatalog();
    const set = await newSet(catalog);
    const [a, b] = [await newHost(catalog), await newHost(catalog, '10.0.0.2')];
    const hosts = `host-sets/${set.id}/hosts`;
    const added = await post(hosts, '1', { action: 'add', host_ids: [a.id, b.id] });
    expect(added.json).toMatchObject({ revision: '2' });
    expect((added.json['host_ids'] as string[]).toSorted()).toEqual([a.id, b.id].toSorted());
    expect((await post(hosts, '1', { action: 'remove', host_ids: [a.id] })).json).toMatchObject({
      status: 409,
      conflict: { currentRevision: '2', current: { host_ids: added.json['host_ids'] } },
    });
    // The set is already as requested, through a lost answer or someone with the same idea.
    expect((await post(hosts, '1', { action: 'add', host_ids: [a.id] })).json).toMatchObject({
      revision: '2',
    });
    expect((await post(hosts, '2', { action: 'add', host_ids: [a.id] })).json).toMatchObject({
      status: 400,
      fields: [{ path: 'host_ids' }],
    });
    expect((await post(hosts, '2', { action: 'remove', host_ids: [] })).json).toMatchObject({
      status: 400,
      fields: [{ path: 'host_ids', message: 'Choose at least one host.' }],
    });
    expect((await post(hosts, '2', { action: 'set', host_ids: [] })).json).toMatchObject({ host_ids: [] });
  });

  test('a picker finds sets of every catalog by any text, and reports when there are more', async () => {
    const catalog = await newCatalog();
    const set = await create('host-sets', {
      host_catalog_id: catalog.id,
      name: `Rack (${++count}) [a.b*c]`,
      description: 'in the cellar',
    });
    const find = async (search: string, more = '') =>
      (
        await page.send(
          'GET',
          `${access}/host-sources?scope_id=p_1234567890&search=${encodeURIComponent(search)}${more}`,
        )
      ).json;
    for (const search of [`RACK (${count}) [A.B*C]`, 'CELLAR', set.id, set.id.slice(5, 12)]) {
      expect((await find(search))['items'], search).toEqual([
        {
          id: set.id,
          name: set['name'],
          description: 'in the cellar',
          host_catalog_id: catalog.id,
          host_catalog_name: catalog['name'],
          host_count: 0,
        },
      ]);
    }
    expect(await find('no such text "\\')).toEqual({ items: [], more: false });
    expect(await find('', '&limit=1')).toMatchObject({ more: true });
  });
});

describe('credential sources', () => {
  test('credentials of every type are stored, and their secrets are never returned', async () => {
    const store = await newStore();
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nY2FuYXJ5\n-----END OPENSSH PRIVATE KEY-----\n';
    const kinds: [string, Record<string, unknown>, string[]][] = [
      ['username_password', { username: 'app', password: 'canary-1' }, ['username', 'password_hmac']],
      [
        'username_password_domain',
        { username: 'app', domain: 'corp', password: 'canary-2' },
        ['username', 'domain', 'password_hmac'],
      ],
      ['password', { password: 'canary-3' }, ['password_hmac']],
      ['ssh_private_key', { username: 'app', private_key: key }, ['username', 'private_key_hmac']],
      ['json', { object: '{"canary": 12345678901234567890}' }, ['object_hmac']],
    ];
    for (const [type, attributes, answered] of kinds) {
      const made = await newCredential(store, { type, attributes });
      const { json, text } = await page.send('GET', `${access}/credentials/${made.id}`);
      expect(Object.keys(json['attributes'] as object).toSorted()).toEqual(answered.toSorted());
      expect(text).not.toContain('canary');
      expect(text).not.toContain('Y2FuYXJ5');
    }
    const list = await page.send('GET', `${access}/credentials?credential_store_id=${store.id}`);
    expect(list.json['items']).toHaveLength(5);
  });

  test('replacing a secret changes its HMAC and nothing else', async () => {
    const made = z.parse(credential, await newCredential(await newStore()));
    const at = `${access}/credentials/${made.id}`;
    const renamed = await page.send('PATCH', at, {
      revision: '1',
      body: { attributes: { username: 'other' } },
    });
    expect(renamed.json['attributes']).toEqual({ ...made.attributes, username: 'other' });
    const replaced = await page.send('PATCH', at, {
      revision: '2',
      body: { attributes: { password: 'new' } },
    });
    expect(replaced.json['attributes']).toMatchObject({ username: 'other' });
    expect(replaced.json['attributes']).not.toEqual(renamed.json['attributes']);
    expect(
      (await page.send('PATCH', at, { revision: '2', body: { attributes: { password: 'x' } } })).json,
    ).toMatchObject({
      status: 409,
      conflict: { current: { attributes: replaced.json['attributes'] } },
    });
    for (const attributes of [{ password: '' }, { username: ' ' }, { object: '[]' }, { surprise: 'x' }]) {
      expect((await page.send('PATCH', at, { revision: '3', body: { attributes } })).status).toBe(400);
    }
  });

  test("a JSON object is changed as text, including numbers that JavaScript can't represent", async () => {
    const made = await newCredential(await newStore(), { type: 'json', attributes: { object: '{"a":1}' } });
    const hmacs = new Set<unknown>();
    for (const [revision, object] of ['{"n":12345678901234567890}', '{"n":"x"}', '{}'].entries()) {
      const answer = await page.send('PATCH', `${access}/credentials/${made.id}`, {
        revision: String(revision + 1),
        body: { attributes: { object } },
      });
      if (object === '{}') expect(answer.json).toMatchObject({ fields: [{ path: 'attributes.object' }] });
      else hmacs.add((answer.json['attributes'] as { object_hmac: string }).object_hmac);
    }
    expect(hmacs.size).toBe(2);
  });

  test('a picker finds credentials of every store', async () => {
    const store = await newStore();
    const made = await newCredential(store, { name: `picked \`${store.id}\`` });
    const { json } = await page.send(
      'GET',
      `${access}/credential-sources?scope_id=p_1234567890&search=${encodeURIComponent(`PICKED \`${store.id}`)}`,
    );
    expect(json).toEqual({
      items: [
        {
          id: made.id,
          name: made['name'],
          description: '',
          credential_type: 'username_password',
          credential_store_id: store.id,
          credential_store_name: store['name'],
          credential_store_type: 'static',
        },
      ],
      more: false,
    });
  });
});

describe('sources of a target', () => {
  test('an address and host sources exclude each other, with the reason beside the field', async () => {
    const set = await newSet(await newCatalog());
    const target = await newTarget({ address: 'db.example' });
    const sources = `targets/${target.id}/host-sources`;
    expect((await post(sources, '1', { action: 'add', host_source_ids: [set.id] })).json).toMatchObject({
      status: 400,
      fields: [{ path: 'host_source_ids', message: expect.stringMatching(/address/) }],
    });
    const cleared = await page.send('PATCH', `${access}/targets/${target.id}`, {
      revision: '1',
      body: { address: '' },
    });
    expect(cleared.json).toMatchObject({ revision: '2', address: '' });
    const added = await post(sources, '2', { action: 'add', host_source_ids: [set.id] });
    expect(added.json).toMatchObject({
      revision: '3',
      host_source_ids: [set.id],
      host_sources: [{ id: set.id }],
    });
    const both = await page.send('PATCH', `${access}/targets/${target.id}`, {
      revision: '3',
      body: { address: 'x.example' },
    });
    expect(both.json).toMatchObject({ status: 400, fields: [{ path: 'address' }] });
    expect(
      (await post(sources, '3', { action: 'add', host_source_ids: ['hsst_0000000000'] })).json,
    ).toMatchObject({
      status: 400,
      fields: [{ path: 'host_source_ids' }],
    });
  });

  test('setting one kind leaves the other kinds unchanged', async () => {
    const store = await newStore();
    const [a, b, c] = [await newCredential(store), await newCredential(store), await newCredential(store)];
    const target = await newTarget({ type: 'ssh' });
    const sources = `targets/${target.id}/credential-sources`;
    const added = await post(sources, '1', {
      action: 'add',
      brokered_credential_source_ids: [a.id],
      injected_application_credential_source_ids: [b.id],
      application_credential_source_ids: [c.id],
    });
    expect(added.json, added.text).toMatchObject({ revision: '2' });
    const set = await post(sources, '2', { action: 'set', brokered_credential_source_ids: [b.id, c.id] });
    expect((set.json['brokered_credential_source_ids'] as string[]).toSorted()).toEqual(
      [b.id, c.id].toSorted(),
    );
    expect(set.json).toMatchObject({
      injected_application_credential_source_ids: [b.id],
      application_credential_source_ids: [c.id],
      application_credential_sources: [{ id: c.id, credential_store_id: store.id }],
    });
    expect(
      (await post(sources, '3', { action: 'remove', brokered_credential_source_ids: [] })).json,
    ).toMatchObject({
      status: 400,
    });
    expect(
      (await post(sources, '3', { action: 'remove', application_credential_source_ids: [c.id] })).json,
    ).toMatchObject({ application_credential_source_ids: [] });
  });

  test('changing a set on both sides is a conflict that shows the stored set and merges automatically', async () => {
    const catalog = await newCatalog();
    const [a, b, c] = [await newSet(catalog), await newSet(catalog), await newSet(catalog)];
    const target = await newTarget();
    const sources = `targets/${target.id}/host-sources`;
    const set = await post(sources, '1', { action: 'set', host_source_ids: [a.id] });
    const base = z.parse(targetSchema, set.json);
    await post(sources, '2', { action: 'add', host_source_ids: [b.id] }, other);
    const stale = await post(sources, '2', { action: 'set', host_source_ids: [a.id, c.id] });
    expect(stale.json).toMatchObject({ status: 409, conflict: { reason: 'modified', currentRevision: '3' } });
    const { current } = stale.json['conflict'] as { current: Target };
    const fieldsOf = (of: Target, host_source_ids = of.host_source_ids) => ({
      address: of.address,
      host_source_ids,
    });
    const merged = merge(targetPolicy, fieldsOf(base), fieldsOf(base, [a.id, c.id]), fieldsOf(current));
    expect(merged.conflicts).toEqual([]);
    const saved = await post(sources, '3', {
      action: 'set',
      host_source_ids: merged.merged.host_source_ids,
    });
    expect((saved.json['host_source_ids'] as string[]).toSorted()).toEqual([a.id, b.id, c.id].toSorted());
  });

  test('nothing is lost in any interleaving of two users', async () => {
    const catalog = await newCatalog();
    const sets = [await newSet(catalog), await newSet(catalog), await newSet(catalog)].map(({ id }) => id);
    const step = fc.record({
      by: fc.nat(1),
      look: fc.boolean(),
      action: fc.constantFrom('add', 'remove', 'set'),
      ids: fc.subarray(sets),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const target = await newTarget();
        const [one, two] = [page, other];
        const saw = ['1', '1'];
        let stored = new Set<string>();
        let revision = '1';
        for (const { by, look, action, ids } of steps) {
          const browser = by === 0 ? one : two;
          if (look) saw[by] = revision;
          const answer = await post(
            `targets/${target.id}/host-sources`,
            saw[by] ?? '',
            { action, host_source_ids: ids },
            browser,
          );
          const wanted = {
            add: stored.union(new Set(ids)),
            remove: stored.difference(new Set(ids)),
            set: new Set(ids),
          }[action];
          const done = wanted?.symmetricDifference(stored).size === 0;
          if (answer.status === 200) {
            if (saw[by] === revision) stored = wanted ?? stored;
            else expect(done, 'a stale change is accepted only where it is so already').toBe(true);
            revision = String(answer.json['revision']);
            saw[by] = revision;
          } else if (answer.status === 409) expect(saw[by]).not.toBe(revision);
          else expect(answer.status).toBe(400);
          const now = z.parse(targetSchema, (await page.send('GET', `${access}/targets/${target.id}`)).json);
          expect(new Set(now.host_source_ids)).toEqual(stored);
          expect(now.revision).toBe(revision);
        }
      }),
      { numRuns: process.env['GATEHOUSE_DEEP'] === '1' ? 500 : 20 },
    );
  });

  test('a reader can only read', async () => {
    const reader = await embedded.signedIn('read-only');
    const catalog = await newCatalog();
    const set = await newSet(catalog);
    const store = await newStore();
    const credential = await newCredential(store);
    const target = await newTarget();
    const denied: [string, string, unknown, string?][] = [
      ['POST', 'host-catalogs', { scope_id: 'p_1234567890', name: 'x' }],
      ['POST', 'host-sets', { host_catalog_id: catalog.id, name: 'x' }],
      ['POST', 'hosts', { host_catalog_id: catalog.id, attributes: { address: '10.0.0.1' } }],
      ['POST', 'credential-stores', { scope_id: 'p_1234567890', type: 'static', name: 'x' }],
      [
        'POST',
        'credentials',
        { credential_store_id: store.id, type: 'password', attributes: { password: 'x' } },
      ],
      ['PATCH', `host-sets/${set.id}`, { name: 'x' }, '1'],
      ['PATCH', `credentials/${credential.id}`, { name: 'x' }, '1'],
      ['DELETE', `credential-stores/${store.id}`, undefined, '1'],
      ['POST', `host-sets/${set.id}/hosts`, { action: 'set', host_ids: [] }, '1'],
      ['POST', `targets/${target.id}/host-sources`, { action: 'add', host_source_ids: [set.id] }, '1'],
      [
        'POST',
        `targets/${target.id}/credential-sources`,
        { action: 'add', brokered_credential_source_ids: [credential.id] },
        '1',
      ],
      ['POST', `targets/${target.id}/authorize-session`, {}],
    ];
    for (const [method, path, body, revision] of denied) {
      const answer = await reader.send(method, `${access}/${path}`, {
        body,
        ...(revision !== undefined && { revision }),
      });
      expect(answer.json, `${method} ${path}`).toMatchObject({
        status: 403,
        code: 'forbidden',
        service: 'access',
      });
    }
    expect((await reader.send('GET', `${access}/credentials/${credential.id}`)).json).toMatchObject({
      authorized_actions: ['no-op', 'read'],
    });
  });
});

test("in production, replacing a stored secret requires the password, and changing other fields doesn't", async () => {
  const production = await startEmbedded({ kind: 'production' });
  try {
    const by = await production.signedIn();
    const store = await create(
      'credential-stores',
      { scope_id: 'p_1234567890', type: 'static', name: named() },
      by,
    );
    const made = await create(
      'credentials',
      {
        credential_store_id: store.id,
        type: 'username_password',
        name: named(),
        attributes: { username: 'app', password: 'canary-password' },
      },
      by,
    );
    const patch = (path: string, revision: string, attributes: object) =>
      by.send('PATCH', `${access}/${path}`, { revision, body: { attributes } });
    const at = `credentials/${made.id}`;
    const asked = { code: 'confirmation-required', detail: expect.stringContaining('nobody can restore') };
    expect((await patch(at, '1', { username: 'other' })).status).toBe(200);
    expect((await patch(at, '2', { password: 'canary-other' })).json).toMatchObject(asked);
    for (const secret of ['token', 'client_certificate_key'])
      expect(
        (
          await patch(`credential-stores/${store.id}`, '1', {
            [secret]: secret === 'token' ? 'hvs.x' : 'PRIVATE KEY-----',
          })
        ).json,
      ).toMatchObject(asked);
    await confirmAs(by, testPassword);
    expect((await patch(at, '2', { password: 'canary-other' })).status).toBe(200);
  } finally {
    await production.close();
  }
});
