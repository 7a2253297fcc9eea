import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { startForeignServer } from '../../testing/foreign-server.ts';
import type { ForeignServer } from '../../testing/foreign-server.ts';

const project = 'p_1234567890';
let controller: TestController;
let foreign: ForeignServer;
let operator: Client;
let otherProject: string;
let names = 0;

beforeAll(async () => {
  controller = await startController();
  foreign = await startForeignServer();
  operator = await controller.as('operator');
  otherProject = await newProject();
});
afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await foreign[Symbol.asyncDispose]();
});

/** The differences between the kinds. */
interface Case {
  /** Tells apart kinds that share a path. */
  readonly kind?: string;
  /** Another container; by default a further one from `into`. */
  readonly elsewhere?: () => Promise<string>;
  readonly path: string;
  readonly id: RegExp;
  readonly container: string;
  /** Creates a container for the tests of one kind. */
  readonly into: () => Promise<string>;
  readonly unknownContainer: string;
  readonly unknownId: string;
  /** The fields of a body in addition to the label. */
  readonly body: () => Wire;
  /** The fields of an answer in addition to the common ones. */
  readonly answer: (containerId: string) => Wire;
  readonly actions: readonly string[];
}

const created = async (path: string, body: Wire): Promise<Wire> => {
  const answer = await operator.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  controller.clock.advance(1000);
  return answer.body;
};
const newCatalog = async (): Promise<string> =>
  textOf(await created('/v1/host-catalogs', { scope_id: project, type: 'static' }), 'id');
const newCredentialStore = async (): Promise<string> =>
  textOf(await created('/v1/credential-stores', { scope_id: project, type: 'static' }), 'id');
async function newProject(): Promise<string> {
  const administrator = await controller.as('administrator');
  const body = { scope_id: 'o_1234567890', name: `project ${++names}` };
  return textOf((await administrator.post('/v1/scopes', body)).body, 'id');
}
const vaultStore = (): Wire => ({ type: 'vault', attributes: { address: foreign.url, token: 'a-token' } });
const newVaultStore = async (): Promise<string> =>
  textOf(await created('/v1/credential-stores', { scope_id: project, ...vaultStore() }), 'id');
const writing = ['no-op', 'read', 'update', 'delete'];

const cases: readonly Case[] = [
  {
    path: '/v1/host-catalogs',
    id: /^hcst_[0-9A-Za-z]{10}$/,
    container: 'scope_id',
    into: () => Promise.resolve(project),
    elsewhere: () => Promise.resolve(otherProject),
    unknownContainer: 'p_0000000000',
    unknownId: 'hcst_0000000000',
    body: () => ({ type: 'static' }),
    answer: (scopeId) => ({
      scope_id: scopeId,
      type: 'static',
      attributes: {},
      authorized_collection_actions: { 'host-sets': ['create', 'list'], hosts: ['create', 'list'] },
    }),
    actions: writing,
  },
  {
    path: '/v1/host-sets',
    id: /^hsst_[0-9A-Za-z]{10}$/,
    container: 'host_catalog_id',
    into: newCatalog,
    unknownContainer: 'hcst_0000000000',
    unknownId: 'hsst_0000000000',
    body: () => ({}),
    answer: (catalogId) => ({ host_catalog_id: catalogId, type: 'static', host_ids: [], attributes: {} }),
    actions: [...writing, 'add-hosts', 'set-hosts', 'remove-hosts'],
  },
  {
    path: '/v1/hosts',
    id: /^hst_[0-9A-Za-z]{10}$/,
    container: 'host_catalog_id',
    into: newCatalog,
    unknownContainer: 'hcst_0000000000',
    unknownId: 'hst_0000000000',
    body: () => ({ attributes: { address: ' 2001:DB8::0 ' } }),
    answer: (catalogId) => ({
      host_catalog_id: catalogId,
      type: 'static',
      host_set_ids: [],
      attributes: { address: '2001:db8::' },
    }),
    actions: writing,
  },
  {
    path: '/v1/credential-stores',
    id: /^csst_[0-9A-Za-z]{10}$/,
    container: 'scope_id',
    into: () => Promise.resolve(project),
    elsewhere: () => Promise.resolve(otherProject),
    unknownContainer: 'p_0000000000',
    unknownId: 'csst_0000000000',
    body: () => ({ type: 'static' }),
    answer: (scopeId) => ({
      scope_id: scopeId,
      type: 'static',
      attributes: {},
      authorized_collection_actions: { credentials: ['create', 'list'] },
    }),
    actions: writing,
  },
  {
    path: '/v1/credentials',
    id: /^credup_[0-9A-Za-z]{10}$/,
    container: 'credential_store_id',
    into: newCredentialStore,
    unknownContainer: 'csst_0000000000',
    unknownId: 'credup_0000000000',
    body: () => ({ type: 'username_password', attributes: { username: ' root ', password: 'secret' } }),
    answer: (storeId) => ({
      credential_store_id: storeId,
      type: 'username_password',
      attributes: { username: 'root', password_hmac: expect.stringMatching(/^[\w-]{43}$/) },
    }),
    actions: writing,
  },
  {
    kind: 'vault',
    path: '/v1/credential-stores',
    id: /^csvlt_[0-9A-Za-z]{10}$/,
    container: 'scope_id',
    into: () => Promise.resolve(project),
    elsewhere: newProject,
    unknownContainer: 'p_0000000000',
    unknownId: 'csvlt_0000000000',
    body: vaultStore,
    answer: (scopeId) => ({
      scope_id: scopeId,
      type: 'vault',
      attributes: expect.objectContaining({ address: foreign.url, token_status: 'current' }) as unknown,
      authorized_collection_actions: { 'credential-libraries': ['create', 'list'] },
    }),
    actions: writing,
  },
  {
    path: '/v1/credential-libraries',
    id: /^clvlt_[0-9A-Za-z]{10}$/,
    container: 'credential_store_id',
    into: newVaultStore,
    unknownContainer: 'csvlt_0000000000',
    unknownId: 'clvlt_0000000000',
    body: () => ({ type: 'vault-generic', attributes: { path: ' secret/data/x ' } }),
    answer: (storeId) => ({
      credential_store_id: storeId,
      type: 'vault-generic',
      attributes: { path: 'secret/data/x', http_method: 'GET', http_request_body: '' },
      credential_type: '',
      credential_mapping_overrides: {},
    }),
    actions: writing,
  },
];

describe.each(cases)(
  '$path $kind',
  ({
    kind = '',
    path,
    id,
    container,
    into,
    elsewhere,
    unknownContainer,
    unknownId,
    body,
    answer,
    actions,
  }) => {
    const unique = `unique ${kind}`.trim();
    let containerId: string;
    beforeAll(async () => {
      containerId = await into();
    });
    const create = (fields: Wire = {}): Promise<Wire> =>
      created(path, { [container]: containerId, name: `name ${++names}`, ...body(), ...fields });
    const patch = (item: Wire, fields: Wire): Promise<Answer> =>
      operator.patch(`${path}/${textOf(item, 'id')}`, { version: item['version'], ...fields });
    const read = (item: Wire): Promise<Answer> => operator.get(`${path}/${textOf(item, 'id')}`);

    test('is created, read, updated and deleted', async () => {
      const now = new Date(controller.clock.now()).toISOString();
      const item = await create({ name: ' first ', description: ' what it is ' });
      expect(item).toEqual({
        id: expect.stringMatching(id),
        scope: expect.objectContaining({ id: project, parent_scope_id: 'o_1234567890' }),
        name: 'first',
        description: 'what it is',
        created_time: now,
        updated_time: now,
        version: 1,
        authorized_actions: actions,
        ...answer(containerId),
      });
      expect((await read(item)).body).toEqual(item);

      const changed = await patch(item, { name: 'second', description: null, [container]: 'ignored' });
      expect(changed.body).toEqual({
        ...item,
        name: 'second',
        description: '',
        version: 2,
        updated_time: new Date(controller.clock.now()).toISOString(),
      });
      expect((await read(item)).body).toEqual(changed.body);
      expect((await patch(changed.body, { name: null })).body).toMatchObject({ name: '', version: 3 });

      const path_ = `${path}/${textOf(item, 'id')}`;
      expect(await operator.delete(path_)).toMatchObject({ status: 204, body: {} });
      for (const gone of [await operator.get(path_), await operator.delete(path_)]) {
        expect(gone).toMatchObject({
          status: 404,
          body: { kind: 'NotFound', message: 'Resource not found.' },
        });
      }
      expect((await patch(changed.body, { name: 'x' })).status).toBe(404);
    });

    test('may have no name, and a name only once per container', async () => {
      await create({ name: undefined });
      await create({ name: '' });
      const item = await create({ name: unique });
      const again = await operator.post(path, { [container]: containerId, ...body(), name: unique });
      expect([again.status, blamedFields(again)]).toEqual([400, ['name']]);
      const other = await create();
      expect(blamedFields(await patch(other, { name: unique }))).toEqual(['name']);
      expect((await read(other)).body).toEqual(other);
      expect((await patch(item, { name: unique, description: 'same' })).status).toBe(200);
      const otherPlace = await (elsewhere ?? into)();
      expect((await create({ [container]: otherPlace, name: unique }))['name']).toBe(unique);
    });

    test.each([
      [{ name: 'a\nb', description: 'c\td' }, ['description', 'name']],
      [{ name: 7 }, ['name']],
      [{ type: 'plugin' }, ['type']],
    ])('refuses to create %j', async (fields, blamed) => {
      const refused = await operator.post(path, { [container]: containerId, ...body(), ...fields });
      expect([refused.status, blamedFields(refused)]).toEqual([400, blamed]);
    });

    test('requires its container', async () => {
      for (const wrong of [undefined, null, '', 'nonsense', 'global', 5]) {
        const refused = await operator.post(path, { ...body(), [container]: wrong });
        expect([refused.status, blamedFields(refused)]).toEqual([400, [container]]);
      }
      expect((await operator.post(path, { ...body(), [container]: unknownContainer })).status).toBe(404);
    });

    test('refuses invalid updates and stays unchanged', async () => {
      const item = await create();
      const wrong: readonly (readonly [Wire, readonly string[]])[] = [
        [{ version: undefined, name: 'x' }, ['version']],
        [{ version: 0, name: 'x' }, ['version']],
        [{ version: '1', name: 'x' }, ['version']],
        [{}, ['update_mask']],
        [{ color: 'red' }, ['update_mask']],
        [{ description: 'a\nb', type: 'other' }, ['description', 'type']],
      ];
      for (const [fields, blamed] of wrong) {
        const refused = await patch(item, fields);
        expect([refused.status, blamedFields(refused)]).toEqual([400, blamed]);
      }
      const stale = await patch(item, { version: 2, name: 'x' });
      expect(stale).toMatchObject({ status: 404, body: { kind: 'NotFound' } });
      expect(stale.body['message']).toMatch(
        new RegExp(`^[A-Z][a-z ]+ "${textOf(item, 'id')}" not found or incorrect version provided\\.$`),
      );
      expect((await read(item)).body).toEqual(item);
    });

    test('refuses IDs of other kinds', async () => {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const refused = await operator.send(
          method,
          `${path}/ttcp_1234567890`,
          method === 'PATCH' ? {} : undefined,
        );
        expect([refused.status, blamedFields(refused)]).toEqual([400, ['id']]);
      }
      expect((await operator.get(`${path}/${unknownId}`)).status).toBe(404);
      expect((await operator.send('PUT', `${path}/${unknownId}`, {})).status).toBe(405);
    });

    test('lets one of twenty writers with the same version win', async () => {
      const item = await create();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => patch(item, { description: `writer ${n}` })),
      );
      const won = answers.filter((one) => one.status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter((one) => one.status === 404)).toHaveLength(19);
      expect((await read(item)).body).toEqual(won[0]?.body);
    });

    test('is listed in pages, filtered, and refreshed with a token', async () => {
      const place = await (elsewhere ?? into)();
      const make = (name: string): Promise<Wire> => create({ [container]: place, name });
      const [one, two, three] = [await make('list one'), await make('list two'), await make('list three')];
      const query = `${path}?${container}=${place}`;
      const filter = `&filter=${encodeURIComponent('"/item/name" matches "^list"')}`;
      const first = await operator.get(`${query}&page_size=2${filter}`);
      expect(itemsOf(first)).toEqual([three, two]);
      expect(first.body).toMatchObject({ response_type: 'delta', sort_by: 'created_time', removed_ids: [] });
      const last = await operator.get(
        `${query}&page_size=2${filter}&list_token=${textOf(first.body, 'list_token')}`,
      );
      expect([itemsOf(last), last.body['response_type']]).toEqual([[one], 'complete']);

      const changed = await patch(one, { description: 'changed' });
      await operator.delete(`${path}/${textOf(two, 'id')}`);
      const refresh = `${query}${filter}&list_token=${textOf(last.body, 'list_token')}`;
      expect((await operator.get(refresh)).body).toMatchObject({
        items: [changed.body],
        removed_ids: [two['id']],
        sort_by: 'updated_time',
        response_type: 'complete',
      });
      expect(
        (
          await operator.get(
            `${path}?${container}=${containerId}&list_token=${textOf(last.body, 'list_token')}`,
          )
        ).body['kind'],
      ).toBe('invalid list token');
    });

    test('is listed only with a valid container', async () => {
      for (const wrong of [
        '',
        `?${container}=nonsense`,
        `?${container}=${containerId}&${container}=${containerId}`,
      ]) {
        const refused = await operator.get(`${path}${wrong}`);
        expect([refused.status, blamedFields(refused)]).toEqual([400, [container]]);
      }
      expect((await operator.get(`${path}?${container}=${unknownContainer}`)).status).toBe(404);
      const refused = await operator.get(`${path}?${container}=${containerId}&page_size=x&filter=(`);
      expect(blamedFields(refused)).toEqual(['filter', 'page_size']);
    });
  },
);

test('lists catalogs across projects', async () => {
  await created('/v1/host-catalogs', { scope_id: otherProject, type: 'static', name: 'elsewhere' });
  const find = async (query: string): Promise<boolean> =>
    itemsOf(await operator.get(`/v1/host-catalogs?${query}`)).some((item) => item['name'] === 'elsewhere');
  expect(await find('recursive=true')).toBe(true);
  expect(await find('scope_id=global&recursive=true')).toBe(true);
  expect(await find('scope_id=o_1234567890&recursive=true')).toBe(true);
  expect(await find(`scope_id=${project}`)).toBe(false);
  expect((await operator.get('/v1/host-catalogs?scope_id=global')).status).toBe(400);
});

test('reports changes of only one kind in a refreshed list', async () => {
  const query = '/v1/credential-stores?recursive=true';
  const token = textOf((await operator.get(query)).body, 'list_token');
  const store = await newCredentialStore();
  await operator.delete(`/v1/host-catalogs/${await newCatalog()}`);
  await operator.delete(`/v1/credential-stores/${store}`);
  const refreshed = await operator.get(`${query}&list_token=${token}`);
  expect(refreshed.body).toMatchObject({ items: [], removed_ids: [store] });
});
