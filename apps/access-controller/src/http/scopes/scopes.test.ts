import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Client, TestController, Wire } from '../../testing/controller.ts';

let controller: TestController;
let administrator: Client;
let names = 0;
beforeAll(async () => {
  controller = await startController();
  administrator = await controller.as('administrator');
});
afterAll(() => controller[Symbol.asyncDispose]());

const create = async (parent: string, fields: Wire = {}): Promise<Wire> => {
  controller.clock.advance(1000);
  const answer = await administrator.post('/v1/scopes', {
    scope_id: parent,
    name: `scope ${++names}`,
    ...fields,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const read = async (scope: Wire): Promise<Wire> =>
  (await administrator.get(`/v1/scopes/${textOf(scope, 'id')}`)).body;

describe('scopes', () => {
  test('include the well-known ones in a new controller', async () => {
    const answer = await administrator.get('/v1/scopes?recursive=true');
    expect(itemsOf(answer).map((item) => [item['id'], item['type'], item['scope_id']])).toEqual([
      ['p_1234567890', 'project', 'o_1234567890'],
      ['o_1234567890', 'org', 'global'],
    ]);
    expect(itemsOf(await administrator.get('/v1/scopes'))).toMatchObject([{ id: 'o_1234567890' }]);
    expect(itemsOf(await administrator.get('/v1/scopes?scope_id=o_1234567890'))).toMatchObject([
      { id: 'p_1234567890' },
    ]);
    expect((await administrator.get('/v1/scopes/global')).body).toMatchObject({
      id: 'global',
      type: 'global',
      scope_id: '',
      version: 1,
    });
    const target = await administrator.get('/v1/targets/ttcp_1234567890');
    expect(target.body).toMatchObject({
      address: '127.0.0.1',
      attributes: { default_port: 22 },
      scope_id: 'p_1234567890',
    });
  });

  test('are created in the global scope and in organizations', async () => {
    const org = await create('global', { description: ' d ' });
    expect(org).toMatchObject({
      id: expect.stringMatching(/^o_[0-9A-Za-z]{10}$/),
      type: 'org',
      scope_id: 'global',
      scope: { id: 'global' },
      description: 'd',
      version: 1,
      created_time: new Date(controller.clock.now()).toISOString(),
    });
    const project = await create(textOf(org, 'id'), { type: 'project' });
    expect(project).toMatchObject({
      id: expect.stringMatching(/^p_/),
      type: 'project',
      scope: { id: org['id'], parent_scope_id: 'global' },
    });
    expect(await read(project)).toEqual(project);
    await create('global', { name: undefined });
    await create('global', { name: null });
  });

  test.each([
    [{}, ['scope_id']],
    [{ scope_id: 'p_1234567890', name: 'x' }, ['scope_id']],
    [{ scope_id: 'global', name: 'a\nb', description: 'c\nd' }, ['description', 'name']],
    [{ scope_id: 'global', name: 7 }, ['name']],
    [{ scope_id: 'global', name: 'x', type: 'project' }, ['type']],
    [{ scope_id: 'o_1234567890', name: 'x', type: 'org' }, ['type']],
    [{ scope_id: 'global', name: 'Generated org scope' }, ['name']],
  ])('refuse %j', async (body, blamed) => {
    const answer = await administrator.post('/v1/scopes', body);
    expect([answer.status, blamedFields(answer)]).toEqual([400, blamed]);
  });

  test("can't be created in a parent that doesn't exist", async () => {
    expect((await administrator.post('/v1/scopes', { scope_id: 'o_0000000000', name: 'x' })).status).toBe(
      404,
    );
    expect((await administrator.get('/v1/scopes?scope_id=o_0000000000')).status).toBe(404);
    expect((await administrator.get('/v1/scopes/o_0000000000')).status).toBe(404);
    expect((await administrator.delete('/v1/scopes/o_0000000000')).status).toBe(404);
    expect(blamedFields(await administrator.get('/v1/scopes/nonsense'))).toEqual(['id']);
    expect(blamedFields(await administrator.get('/v1/scopes?scope_id=p_1234567890'))).toEqual(['scope_id']);
    expect(itemsOf(await administrator.get('/v1/scopes?scope_id=p_1234567890&recursive=true'))).toEqual([]);
  });

  test('change only with the current version', async () => {
    const org = await create('global');
    const path = `/v1/scopes/${textOf(org, 'id')}`;
    const renamed = await administrator.patch(path, { version: 1, name: `renamed ${names}` });
    expect(renamed.body).toMatchObject({ ...org, name: `renamed ${names}`, version: 2 });
    const stale = await administrator.patch(path, { version: 1, description: 'lost' });
    expect(stale).toMatchObject({
      status: 404,
      body: {
        kind: 'NotFound',
        message: `Scope "${textOf(org, 'id')}" not found or incorrect version provided.`,
      },
    });
    expect(await read(org)).toEqual(renamed.body);
    expect(
      (await administrator.patch(path, { version: 2, name: null, description: null })).body,
    ).toMatchObject({ name: '', version: 3 });
    expect(blamedFields(await administrator.patch(path, { name: 'x' }))).toEqual(['version']);
    expect(blamedFields(await administrator.patch(path, { version: 3 }))).toEqual(['update_mask']);
    expect(
      blamedFields(await administrator.patch(path, { version: 3, name: 'Generated org scope' })),
    ).toEqual(['name']);
  });

  test('are deleted with everything in them', async () => {
    const org = await create('global');
    const project = await create(textOf(org, 'id'));
    const target = await administrator.post('/v1/targets', {
      scope_id: project['id'],
      type: 'ssh',
      name: 'inside',
    });
    const listed = await administrator.get('/v1/targets?recursive=true');
    expect((await administrator.delete(`/v1/scopes/${textOf(org, 'id')}`)).status).toBe(204);
    for (const gone of [
      `/v1/scopes/${textOf(org, 'id')}`,
      `/v1/scopes/${textOf(project, 'id')}`,
      `/v1/targets/${textOf(target.body, 'id')}`,
    ]) {
      expect((await administrator.get(gone)).status).toBe(404);
    }
    const refreshed = await administrator.get(
      `/v1/targets?recursive=true&list_token=${textOf(listed.body, 'list_token')}`,
    );
    expect(refreshed.body['removed_ids']).toEqual([target.body['id']]);
  });

  test('keep the global scope', async () => {
    expect(blamedFields(await administrator.delete('/v1/scopes/global'))).toEqual(['id']);
    expect(
      (await administrator.patch('/v1/scopes/global', { version: 1, description: 'ours' })).body,
    ).toMatchObject({ description: 'ours' });
  });

  test('are filtered', async () => {
    const filter = encodeURIComponent('"/item/type" == project');
    for (const item of itemsOf(await administrator.get(`/v1/scopes?recursive=true&filter=${filter}`)))
      expect(item['type']).toBe('project');
    expect(blamedFields(await administrator.get('/v1/scopes?filter=('))).toEqual(['filter']);
  });
});
