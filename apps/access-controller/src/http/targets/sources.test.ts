import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { SourceMaker } from '../../testing/sources.ts';

let controller: TestController;
let operator: Client;
let make: SourceMaker;
let catalog: string;
let store: string;
let foreignSet: string;
let foreignCredential: string;
beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
  make = new SourceMaker(controller, operator);
  const administrator = await controller.as('administrator');
  const other = await administrator.post('/v1/scopes', { scope_id: 'o_1234567890', name: 'other' });
  const otherProject = textOf(other.body, 'id');
  [catalog, store] = [await make.catalog(), await make.store()];
  foreignSet = await make.set(await make.catalog(otherProject));
  foreignCredential = await make.credential(await make.store(otherProject));
});
afterAll(() => controller[Symbol.asyncDispose]());

const change = (verb: string, target: Wire, fields: Wire): Promise<Answer> =>
  operator.post(`/v1/targets/${textOf(target, 'id')}:${verb}`, { version: target['version'], ...fields });
const read = async (target: Wire): Promise<Wire> =>
  (await operator.get(`/v1/targets/${textOf(target, 'id')}`)).body;
const now = (): string => new Date(controller.clock.now()).toISOString();

describe('host sources', () => {
  test('are added, removed and replaced, with their summaries and a new version each time', async () => {
    const [one, two, three] = [await make.set(catalog), await make.set(catalog), await make.set(catalog)];
    const target = await make.target();
    const added = await change('add-host-sources', target, { host_source_ids: [two, one, one] });
    expect(added).toEqual({
      status: 200,
      headers: expect.anything(),
      body: {
        ...target,
        version: 2,
        updated_time: now(),
        host_source_ids: [one, two].sort(),
        host_sources: [one, two].sort().map((id) => ({ id, host_catalog_id: catalog })),
      },
    });
    const removed = await change('remove-host-sources', added.body, { host_source_ids: [two] });
    expect(removed.body).toMatchObject({ host_source_ids: [one], version: 3 });
    const replaced = await change('set-host-sources', removed.body, { host_source_ids: [three, two] });
    expect(replaced.body).toMatchObject({ host_source_ids: [two, three].sort(), version: 4 });
    expect(await read(target)).toEqual(replaced.body);
    const same = await change('set-host-sources', replaced.body, { host_source_ids: [two, three] });
    expect(same.body).toEqual(replaced.body);
    const emptied = await change('set-host-sources', replaced.body, { host_source_ids: [] });
    expect(emptied.body).toMatchObject({ host_source_ids: [], host_sources: [], version: 5 });
    const bare = await change('set-host-sources', emptied.body, {});
    expect(bare.body).toEqual(emptied.body);
  });

  test('are limited to 50 per target', async () => {
    const sets = await Promise.all(Array.from({ length: 51 }, () => make.set(catalog)));
    const target = await make.target({ name: 'of many sets' });
    const full = await change('set-host-sources', target, { host_source_ids: sets.slice(0, 50) });
    expect(full.status).toBe(200);
    const refused = await change('add-host-sources', full.body, { host_source_ids: sets.slice(50) });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['host_source_ids']]);
    expect(await read(target)).toEqual(full.body);
  });

  test('exclude an address, and the reverse', async () => {
    const set = await make.set(catalog);
    const addressed = await make.target({ address: '10.0.0.1' });
    for (const [verb, ids] of [
      ['add', [set]],
      ['set', [set]],
      ['set', []],
    ] as const) {
      const refused = await change(`${verb}-host-sources`, addressed, { host_source_ids: ids });
      expect(refused).toMatchObject({ status: 400, body: { kind: 'FailedPrecondition' } });
    }
    expect(await read(addressed)).toEqual(addressed);
    const linked = (await change('add-host-sources', await make.target(), { host_source_ids: [set] })).body;
    const patch = (fields: Wire): Promise<Answer> =>
      operator.patch(`/v1/targets/${textOf(linked, 'id')}`, { version: 2, ...fields });
    expect(await patch({ address: '10.0.0.1' })).toMatchObject({
      status: 400,
      body: { kind: 'FailedPrecondition' },
    });
    expect(await read(linked)).toEqual(linked);
    expect((await patch({ name: textOf(linked, 'name'), address: null })).body).toMatchObject({
      host_source_ids: [set],
      version: 3,
    });
  });

  test('are refused by field if malformed, unknown, in another project, already added or already removed', async () => {
    const [inside, free] = [await make.set(catalog), await make.set(catalog)];
    const target = (await change('add-host-sources', await make.target(), { host_source_ids: [inside] }))
      .body;
    const wrong: readonly (readonly [string, unknown])[] = [
      ['add', []],
      ['add', undefined],
      ['add', null],
      ['remove', []],
      ['add', inside],
      ['add', [7]],
      ['set', {}],
      ['add', ['ttcp_1234567890']],
      ['remove', ['nonsense']],
      ['add', ['hsst_0000000000']],
      ['add', [foreignSet]],
      ['add', [free, inside]],
      ['set', [foreignSet, free]],
      ['remove', [free]],
      ['remove', [inside, 'hsst_0000000000']],
    ];
    for (const [verb, ids] of wrong) {
      const refused = await change(`${verb}-host-sources`, target, { host_source_ids: ids });
      expect([verb, ids, refused.status, blamedFields(refused)]).toEqual([
        verb,
        ids,
        400,
        ['host_source_ids'],
      ]);
    }
    expect(await read(target)).toEqual(target);
  });

  test('leave their targets when deleted, which changes the targets', async () => {
    const [one, two] = [await make.set(catalog), await make.set(catalog)];
    const target = (await change('add-host-sources', await make.target(), { host_source_ids: [one, two] }))
      .body;
    await operator.delete(`/v1/host-sets/${one}`);
    const left = await read(target);
    expect(left).toMatchObject({ host_source_ids: [two], version: 3, updated_time: now() });
    expect((await change('add-host-sources', target, { host_source_ids: [one] })).status).toBe(404);
  });

  test('of a deleted catalog leave their target in a single change', async () => {
    const other = await make.catalog();
    const sets = [await make.set(other), await make.set(other)];
    const target = (await change('add-host-sources', await make.target(), { host_source_ids: sets })).body;
    const query = '/v1/targets?recursive=true';
    const token = textOf((await operator.get(query)).body, 'list_token');
    await operator.delete(`/v1/host-catalogs/${other}`);
    const left = await read(target);
    expect(left).toMatchObject({ host_source_ids: [], version: 3 });
    expect(itemsOf(await operator.get(`${query}&list_token=${token}`))).toEqual([left]);
  });
});

const kinds = ['application', 'brokered', 'injected_application'] as const;
const idsOf = (target: Wire): unknown[] => kinds.map((kind) => target[`${kind}_credential_source_ids`]);
const fieldOf = (kind: string): string => `${kind}_credential_source_ids`;

describe('credential sources', () => {
  test.each(kinds)(
    'of kind %s are added, removed and replaced, with their summaries and a new version each time',
    async (kind) => {
      const [one, two] = [
        await make.credential(store, { name: `first ${kind}`, description: 'what it is' }),
        await make.credential(store, {
          type: 'username_password_domain',
          attributes: { username: 'app', password: 'secret', domain: 'corp' },
        }),
      ];
      const target = await make.target({ address: '10.0.0.1' });
      const added = await change('add-credential-sources', target, { [fieldOf(kind)]: [one, two] });
      const summaries = [
        {
          id: one,
          name: `first ${kind}`,
          description: 'what it is',
          credential_store_id: store,
          type: 'static',
          credential_type: 'username_password',
        },
        {
          id: two,
          name: '',
          description: '',
          credential_store_id: store,
          type: 'static',
          credential_type: 'username_password_domain',
        },
      ];
      expect(added.body).toEqual({
        ...target,
        version: 2,
        updated_time: now(),
        [fieldOf(kind)]: [one, two].sort(),
        [`${kind}_credential_sources`]: summaries.sort((a, b) => (a.id < b.id ? -1 : 1)),
      });
      const removed = await change('remove-credential-sources', added.body, { [fieldOf(kind)]: [one] });
      expect(removed.body).toMatchObject({ [fieldOf(kind)]: [two], version: 3 });
      const replaced = await change('set-credential-sources', removed.body, { [fieldOf(kind)]: [one] });
      expect(replaced.body).toMatchObject({ [fieldOf(kind)]: [one], version: 4 });
      expect(await read(target)).toEqual(replaced.body);
    },
  );

  test('are refused as injected ones on a target of type tcp', async () => {
    const one = await make.credential(store);
    const target = await make.target({ type: 'tcp', attributes: { default_port: 5432 } });
    const field = 'injected_application_credential_source_ids';
    for (const verb of ['add', 'set']) {
      const refused = await change(`${verb}-credential-sources`, target, { [field]: [one] });
      expect([refused.status, blamedFields(refused)]).toEqual([400, [field]]);
    }
    expect(await read(target)).toEqual(target);
  });

  test.each([
    ['json', { object: { a: 1 } }],
    ['password', { password: 'secret' }],
  ])('of type %s can be brokered, but not injected', async (type, attributes) => {
    const [one, key] = [await make.credential(store, { type, attributes }), await make.credential(store)];
    const target = await make.target();
    const field = fieldOf('injected_application');
    for (const verb of ['add', 'set']) {
      const refused = await change(`${verb}-credential-sources`, target, {
        [fieldOf('brokered')]: [one],
        [field]: [key, one],
      });
      expect([refused.status, blamedFields(refused)]).toEqual([400, [field]]);
    }
    expect(await read(target)).toEqual(target);
    const both = await change('set-credential-sources', target, {
      [fieldOf('brokered')]: [one],
      [field]: [key],
    });
    expect(idsOf(both.body)).toEqual([[], [one], [key]]);
  });

  test("of all kinds change in one step; setting clears the kinds that it doesn't name", async () => {
    const [one, two] = [await make.credential(store), await make.credential(store)];
    const target = await make.target();
    const all = await change('add-credential-sources', target, {
      application_credential_source_ids: [one],
      brokered_credential_source_ids: [one, two],
      injected_application_credential_source_ids: [two],
    });
    expect(idsOf(all.body)).toEqual([[one], [one, two].sort(), [two]]);
    const some = await change('set-credential-sources', all.body, { brokered_credential_source_ids: [one] });
    expect([idsOf(some.body), some.body['version']]).toEqual([[[], [one], []], 3]);
    const same = await change('set-credential-sources', some.body, { brokered_credential_source_ids: [one] });
    expect(same.body).toEqual(some.body);
    const none = await change('set-credential-sources', some.body, {});
    expect([idsOf(none.body), none.body['version']]).toEqual([[[], [], []], 4]);
  });

  test.each(kinds)('of kind %s are refused by field if wrong, and nothing changes', async (kind) => {
    const [inside, free] = [await make.credential(store), await make.credential(store)];
    const others = kinds.filter((other) => other !== kind);
    const target = (
      await change('add-credential-sources', await make.target(), { [fieldOf(kind)]: [inside] })
    ).body;
    const wrong: readonly (readonly [string, unknown])[] = [
      ['add', 'all'],
      ['add', [null]],
      ['set', ['hsst_1234567890']],
      ['add', [inside]],
      ['add', [foreignCredential]],
      ['set', [foreignCredential]],
      ['add', ['credup_0000000000']],
      ['remove', [free]],
    ];
    for (const [verb, ids] of wrong) {
      const body = { [fieldOf(kind)]: ids, ...(verb === 'add' && { [fieldOf(others[0] ?? '')]: [free] }) };
      const refused = await change(`${verb}-credential-sources`, target, body);
      expect([verb, ids, refused.status, blamedFields(refused)]).toEqual([verb, ids, 400, [fieldOf(kind)]]);
    }
    for (const verb of ['add', 'remove']) {
      const refused = await change(`${verb}-credential-sources`, target, { [fieldOf(kind)]: [] });
      expect([refused.status, blamedFields(refused)]).toEqual([400, kinds.map(fieldOf).sort()]);
    }
    expect(await read(target)).toEqual(target);
  });

  test('leave their targets when deleted, and show there when renamed', async () => {
    const [one, two] = [await make.credential(store, { name: 'before' }), await make.credential(store)];
    const target = await make.target();
    await change('add-credential-sources', target, {
      brokered_credential_source_ids: [one, two],
      application_credential_source_ids: [one],
    });
    const query = '/v1/targets?recursive=true';
    const token = textOf((await operator.get(query)).body, 'list_token');
    await operator.patch(`/v1/credentials/${one}`, { version: 1, name: 'after' });
    const renamed = await read(target);
    expect(renamed).toMatchObject({ version: 2, application_credential_sources: [{ name: 'after' }] });
    expect(itemsOf(await operator.get(`${query}&list_token=${token}`))).toEqual([renamed]);

    await operator.delete(`/v1/credentials/${one}`);
    const left = await read(target);
    expect([idsOf(left), left['version']]).toEqual([[[], [two], []], 3]);
  });

  test('of a deleted store leave their target in a single change', async () => {
    const other = await make.store();
    const [one, two] = [await make.credential(other), await make.credential(other)];
    const target = await make.target();
    await change('add-credential-sources', target, {
      brokered_credential_source_ids: [one, two],
      application_credential_source_ids: [one],
    });
    await operator.delete(`/v1/credential-stores/${other}`);
    const left = await read(target);
    expect([idsOf(left), left['version']]).toEqual([[[], [], []], 3]);
  });
});

describe.each(['add', 'set', 'remove'])('to %s sources', (verb) => {
  test.each(['host', 'credential'])('of kind %s requires the current version', async (kind) => {
    const target = await make.target();
    const body = {
      host_source_ids: [await make.set(catalog)],
      brokered_credential_source_ids: [await make.credential(store)],
    };
    for (const version of [undefined, null, 0, '1', 1.5]) {
      const refused = await change(`${verb}-${kind}-sources`, target, { ...body, version });
      expect([refused.status, blamedFields(refused)]).toEqual([400, ['version']]);
    }
    for (const [id, version] of [
      [textOf(target, 'id'), 2],
      ['tssh_0000000000', 1],
    ] as const) {
      const stale = await change(`${verb}-${kind}-sources`, { id }, { ...body, version });
      expect(stale).toMatchObject({
        status: 404,
        body: { kind: 'NotFound', message: `Target "${id}" not found or incorrect version provided.` },
      });
    }
    expect(blamedFields(await change(`${verb}-${kind}-sources`, { id: 'hsst_1234567890' }, body))).toEqual([
      'id',
    ]);
    expect(await read(target)).toEqual(target);
  });
});

test('lets one of twenty writers with the same version win', async () => {
  const target = await make.target();
  const sets = await Promise.all(Array.from({ length: 20 }, () => make.set(catalog)));
  const answers = await Promise.all(
    sets.map((set) => change('add-host-sources', target, { host_source_ids: [set] })),
  );
  const won = answers.filter((answer) => answer.status === 200);
  expect(won).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 404)).toHaveLength(19);
  expect(await read(target)).toEqual(won[0]?.body);
});

test('deletes sources after their target', async () => {
  const [set, credential] = [await make.set(catalog), await make.credential(store)];
  const target = await make.target();
  await change('add-host-sources', target, { host_source_ids: [set] });
  await change(
    'add-credential-sources',
    { ...target, version: 2 },
    {
      brokered_credential_source_ids: [credential],
    },
  );
  expect((await operator.delete(`/v1/targets/${textOf(target, 'id')}`)).status).toBe(204);
  expect((await operator.delete(`/v1/host-sets/${set}`)).status).toBe(204);
  expect((await operator.delete(`/v1/credentials/${credential}`)).status).toBe(204);
});
