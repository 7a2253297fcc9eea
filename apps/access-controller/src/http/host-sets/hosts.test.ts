import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';

let controller: TestController;
let operator: Client;
let catalog: string;
beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
  catalog = await newCatalog();
});
afterAll(() => controller[Symbol.asyncDispose]());

const created = async (path: string, body: Wire): Promise<Wire> => {
  const answer = await operator.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  controller.clock.advance(1000);
  return answer.body;
};
const newCatalog = async (): Promise<string> =>
  textOf(await created('/v1/host-catalogs', { scope_id: 'p_1234567890', type: 'static' }), 'id');
const newHost = async (catalogId = catalog): Promise<string> =>
  textOf(
    await created('/v1/hosts', { host_catalog_id: catalogId, attributes: { address: '10.0.0.1' } }),
    'id',
  );
const newSet = (): Promise<Wire> => created('/v1/host-sets', { host_catalog_id: catalog });
const change = (verb: string, set: Wire, hostIds: unknown, fields: Wire = {}): Promise<Answer> =>
  operator.post(`/v1/host-sets/${textOf(set, 'id')}:${verb}-hosts`, {
    version: set['version'],
    host_ids: hostIds,
    ...fields,
  });
const read = async (path: string): Promise<Wire> => (await operator.get(path)).body;
const setsOf = async (host: string): Promise<unknown> => (await read(`/v1/hosts/${host}`))['host_set_ids'];

describe('the hosts of a set', () => {
  test('are added, removed and replaced, with a new version each time', async () => {
    const [one, two, three] = [await newHost(), await newHost(), await newHost()];
    const set = await newSet();
    const added = await change('add', set, [two, one]);
    expect(added.body).toEqual({
      ...set,
      host_ids: [one, two].sort(),
      version: 2,
      updated_time: new Date(controller.clock.now()).toISOString(),
    });
    const removed = await change('remove', added.body, [two]);
    expect(removed.body).toMatchObject({ host_ids: [one], version: 3 });
    const replaced = await change('set', removed.body, [three, two, two]);
    expect(replaced.body).toMatchObject({ host_ids: [three, two].sort(), version: 4 });
    expect(await read(`/v1/host-sets/${textOf(set, 'id')}`)).toEqual(replaced.body);
    expect([await setsOf(one), await setsOf(two)]).toEqual([[], [set['id']]]);
    const same = await change('set', replaced.body, [two, three]);
    expect(same.body).toEqual(replaced.body);
    expect((await change('set', replaced.body, [])).body).toMatchObject({ host_ids: [], version: 5 });
  });

  test('are refused if malformed, unknown, in another catalog, already added or already removed', async () => {
    const [inside, outside] = [await newHost(), await newHost(await newCatalog())];
    const set = (await change('add', await newSet(), [inside])).body;
    const wrong: readonly (readonly [string, unknown])[] = [
      ['add', []],
      ['remove', []],
      ['add', null],
      ['add', inside],
      ['add', [5]],
      ['add', ['hsst_1234567890']],
      ['add', [inside]],
      ['add', ['hst_0000000000']],
      ['add', [outside]],
      ['set', [inside, outside]],
      ['set', 'all'],
      ['remove', [outside]],
      ['remove', ['hst_0000000000']],
    ];
    for (const [verb, hostIds] of wrong) {
      const refused = await change(verb, set, hostIds);
      expect([verb, hostIds, refused.status, blamedFields(refused)]).toEqual([
        verb,
        hostIds,
        400,
        ['host_ids'],
      ]);
    }
    expect(blamedFields(await change('set', set, [], { version: undefined }))).toEqual(['version']);
    expect(blamedFields(await change('add', { id: 'hst_1234567890' }, []))).toEqual(['id']);
    const stale = await change('set', set, [], { version: 1 });
    expect(stale).toMatchObject({
      status: 404,
      body: { message: `Host set "${textOf(set, 'id')}" not found or incorrect version provided.` },
    });
    expect(await read(`/v1/host-sets/${textOf(set, 'id')}`)).toEqual(set);
  });

  test('leave their set when deleted, which changes the set', async () => {
    const [one, two] = [await newHost(), await newHost()];
    const set = (await change('add', await newSet(), [one, two])).body;
    await operator.delete(`/v1/hosts/${one}`);
    expect(await read(`/v1/host-sets/${textOf(set, 'id')}`)).toMatchObject({ host_ids: [two], version: 3 });
    await operator.delete(`/v1/host-sets/${textOf(set, 'id')}`);
    expect(await read(`/v1/hosts/${two}`)).toMatchObject({ host_set_ids: [], version: 1 });
  });

  test('appear in refreshed lists of hosts when their sets change', async () => {
    const one = await newHost();
    const set = await newSet();
    const query = `/v1/hosts?host_catalog_id=${catalog}`;
    const refreshed = async (token: string): Promise<readonly [unknown[], string]> => {
      const answer = await operator.get(`${query}&list_token=${token}`);
      return [
        itemsOf(answer).map((item) => [item['id'], item['host_set_ids']]),
        textOf(answer.body, 'list_token'),
      ];
    };
    const token = textOf((await operator.get(query)).body, 'list_token');
    await change('add', set, [one]);
    const [joined, next] = await refreshed(token);
    expect(joined).toEqual([[one, [set['id']]]]);
    await operator.delete(`/v1/host-sets/${textOf(set, 'id')}`);
    expect((await refreshed(next))[0]).toEqual([[one, []]]);
  });
});

test('a set has a limited number of hosts, and sets with many are listed completely', async () => {
  const inCatalog = await newCatalog();
  const hosts = Array.from({ length: 2_001 }, (_, at) => `hst_many${String(at).padStart(6, '0')}`);
  const store = openDatabase(controller.dataDir);
  await store.write((tx) => {
    const rows = sql.raw(
      `INSERT INTO host SELECT value, ?2, 'p_1234567890', '', '', 0, 0, 1, '10.0.0.1', 1 FROM json_each(?1)`,
    );
    tx.run(withParameters(rows.compile(tx.build), JSON.stringify(hosts), inCatalog));
  });
  await store.close();
  const sets: unknown[] = [];
  for (let count = 0; count < 7; count++) {
    const set = await created('/v1/host-sets', { host_catalog_id: inCatalog });
    sets.push(set['id']);
    if (count === 0)
      expect((await change('add', set, hosts)).body['details']).toMatchObject({
        request_fields: [
          { name: 'host_ids', description: 'The set can have at most 2,000 entries in this list.' },
        ],
      });
    expect((await change('add', set, hosts.slice(1))).status).toBe(200);
  }
  let token = '';
  // The list, and the changes since then.
  for (const what of ['all', 'changed']) {
    const listed: unknown[] = [];
    let pages = 0;
    for (let isLast = false; !isLast; pages++) {
      const { body } = await operator.get(
        `/v1/host-sets?host_catalog_id=${inCatalog}&page_size=1000&list_token=${token}`,
      );
      token = textOf(body, 'list_token');
      isLast = body['response_type'] === 'complete';
      listed.push(...(body['items'] as Wire[]).map(({ id }) => id));
    }
    expect([new Set(listed), listed.length, pages], what).toEqual([new Set(sets), 7, 1]);
    for (const id of sets)
      await change('remove', await read(`/v1/host-sets/${String(id)}`), hosts.slice(2_000));
  }
});

test("requires the address of a host, checks it like a target's, and changes it", async () => {
  const host = await read(`/v1/hosts/${await newHost()}`);
  const wrong: readonly (readonly [unknown, string])[] = [
    [undefined, 'attributes.address'],
    [{}, 'attributes.address'],
    [{ address: '' }, 'attributes.address'],
    [{ address: null }, 'attributes.address'],
    [{ address: 5 }, 'attributes.address'],
    [{ address: '10.0.0.1:22' }, 'attributes.address'],
    [{ address: '10.0.0.1', port: 22 }, 'attributes'],
    [[], 'attributes'],
  ];
  for (const [attributes, field] of wrong) {
    const refused = await operator.post('/v1/hosts', { host_catalog_id: catalog, attributes });
    expect([refused.status, blamedFields(refused)]).toEqual([400, expect.arrayContaining([field])]);
  }
  const patch = (attributes: unknown): Promise<Answer> =>
    operator.patch(`/v1/hosts/${textOf(host, 'id')}`, { version: 1, attributes });
  for (const address of ['', null, 'a b', '::']) {
    expect(blamedFields(await patch({ address }))).toEqual(['attributes.address']);
  }
  expect((await patch({ address: 'db.example' })).body).toEqual({
    ...host,
    version: 2,
    updated_time: expect.any(String),
    attributes: { address: 'db.example' },
  });
});

test("deletes a catalog's sets and hosts with it, and a project's catalogs", async () => {
  const host = await newHost();
  const set = (await change('add', await newSet(), [host])).body;
  await operator.delete(`/v1/host-catalogs/${catalog}`);
  const gone = async (path: string): Promise<number> => (await operator.get(path)).status;
  expect([await gone(`/v1/hosts/${host}`), await gone(`/v1/host-sets/${textOf(set, 'id')}`)]).toEqual([
    404, 404,
  ]);
  expect((await operator.get(`/v1/hosts?host_catalog_id=${catalog}`)).status).toBe(404);
  await (await controller.as('administrator')).delete('/v1/scopes/o_1234567890');
  expect(await gone('/v1/hosts/hst_1234567890')).toBe(404);
  expect(itemsOf(await operator.get('/v1/host-catalogs?recursive=true'))).toEqual([]);
});
