import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import { silentLog } from '@gatehouse/service-kit/log';
import { testPassword, withdrawAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createService } from '../../app.ts';
import { blamedFields, itemsOf, signIn, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { SourceMaker, generatedProject } from '../../testing/sources.ts';

let controller: TestController;
let administrator: Client;
let operator: Client;
let make: SourceMaker;
let logged: string[];
beforeEach(async () => {
  logged = [];
  controller = await startController({
    upkeepMs: 10,
    log: { ...silentLog, warn: (what) => void logged.push(what) },
  });
  administrator = await controller.as('administrator');
  operator = await controller.as('operator');
  make = new SourceMaker(controller, operator);
});
afterEach(() => controller[Symbol.asyncDispose]());

const authorize = async (client: Client, targetId = 'ttcp_1234567890'): Promise<Wire> => {
  const answer = await client.post(`/v1/targets/${targetId}:authorize-session`, {});
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  controller.clock.advance(1000);
  return (await client.get(`/v1/sessions/${textOf(answer.body, 'session_id')}`)).body;
};
const path = (session: Wire): string => `/v1/sessions/${textOf(session, 'id')}`;
const cancel = (client: Client, session: Wire, version: unknown = session['version']): Promise<Answer> =>
  client.post(`${path(session)}:cancel`, { version });
const list = async (client: Client, query = ''): Promise<Answer> => {
  const answer = await client.get(`/v1/sessions?scope_id=${generatedProject}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer;
};
const idsOf = (answer: Answer): unknown[] => itemsOf(answer).map((item) => item['id']);
const statesOf = (session: Wire): unknown[] =>
  (session['states'] as Wire[]).map((state) => [state['status'], state['start_time'], state['end_time']]);
const at = (ms: number): string => new Date(ms).toISOString();

test('returns the record of a session', async () => {
  const start = controller.clock.now();
  const session = await authorize(operator);
  expect(session).toEqual({
    id: expect.stringMatching(/^s_/),
    scope_id: generatedProject,
    scope: expect.objectContaining({ id: generatedProject, type: 'project' }),
    target_id: 'ttcp_1234567890',
    user_id: expect.stringMatching(/^u_/),
    auth_token_id: operator.token?.slice(0, 13),
    host_id: '',
    host_set_id: '',
    type: 'tcp',
    endpoint: 'tcp://127.0.0.1:22',
    created_time: at(start),
    updated_time: at(start),
    expiration_time: at(start + 28_800_000),
    version: 1,
    connection_limit: -1,
    status: 'pending',
    states: [{ status: 'pending', start_time: at(start), end_time: null }],
    termination_reason: '',
    authorized_actions: ['no-op', 'read:self', 'cancel:self'],
  });
  expect(itemsOf(await list(operator))).toEqual([session]);
});

describe('canceling', () => {
  test('closes a session, then terminates it', async () => {
    const session = await authorize(operator);
    const start = controller.clock.now();
    const canceling = await cancel(operator, session);
    expect(canceling).toMatchObject({
      status: 200,
      body: { status: 'canceling', version: 2, termination_reason: '', updated_time: at(start) },
    });
    expect(statesOf(canceling.body)).toEqual([
      ['canceling', at(start), null],
      ['pending', session['created_time'], at(start)],
    ]);
    expect((await cancel(operator, canceling.body)).body).toEqual(canceling.body);
    expect(idsOf(await list(operator))).toEqual([session['id']]);

    controller.clock.advance(1000);
    const ended = (await operator.get(path(session))).body;
    expect(ended).toMatchObject({ status: 'terminated', version: 3, termination_reason: 'canceled' });
    expect(statesOf(ended)).toEqual([
      ['terminated', at(start + 1000), null],
      ['canceling', at(start), at(start + 1000)],
      ['pending', session['created_time'], at(start)],
    ]);
    expect(await cancel(operator, ended)).toMatchObject({
      status: 400,
      body: { kind: 'FailedPrecondition' },
    });
    expect((await operator.get(path(session))).body).toEqual(ended);
  });

  test('requires the current version', async () => {
    const session = await authorize(operator);
    for (const version of [undefined, null, 0, '1']) {
      const refused = await operator.post(`${path(session)}:cancel`, { version });
      expect([refused.status, blamedFields(refused)]).toEqual([400, ['version']]);
    }
    expect(await cancel(operator, session, 2)).toMatchObject({
      status: 404,
      body: { message: `Session "${textOf(session, 'id')}" not found or incorrect version provided.` },
    });
    expect((await operator.get(path(session))).body).toEqual(session);
    expect((await administrator.post('/v1/sessions/s_0000000000:cancel', { version: 1 })).status).toBe(404);
    expect(blamedFields(await operator.post('/v1/sessions/x:cancel', { version: 1 }))).toEqual(['id']);
  });
});

test('a session ends automatically when its time is over', async () => {
  const target = await make.target({ address: '10.0.0.1', session_max_seconds: 10 });
  const session = await authorize(operator, textOf(target, 'id'));
  const start = Date.parse(textOf(session, 'created_time'));
  controller.clock.advance(8999);
  expect((await operator.get(path(session))).body).toEqual(session);
  controller.clock.advance(5000);
  expect(idsOf(await list(operator))).toEqual([]);
  const ended = (await operator.get(path(session))).body;
  expect(ended).toMatchObject({
    status: 'terminated',
    termination_reason: 'timed out',
    version: 2,
    updated_time: at(start + 10_000),
  });
  expect(statesOf(ended)[0]).toEqual(['terminated', at(start + 10_000), null]);
  expect((await cancel(operator, session)).status).toBe(404);
});

describe('the list', () => {
  test('includes terminated sessions only on request, in pages, and reports those that have left', async () => {
    const sessions = [await authorize(operator), await authorize(operator), await authorize(operator)];
    const [one, two, three] = sessions.map((session) => session['id']);
    const first = await list(operator, '&page_size=2');
    expect([idsOf(first), first.body['response_type'], first.body['est_item_count']]).toEqual([
      [three, two],
      'delta',
      3,
    ]);
    const last = await list(operator, `&page_size=2&list_token=${textOf(first.body, 'list_token')}`);
    expect(idsOf(last)).toEqual([one]);

    await cancel(operator, sessions[1] ?? {});
    const canceling = await list(operator, `&list_token=${textOf(last.body, 'list_token')}`);
    expect(itemsOf(canceling)).toMatchObject([{ id: two, status: 'canceling' }]);
    controller.clock.advance(1000);
    const gone = await list(operator, `&list_token=${textOf(canceling.body, 'list_token')}`);
    expect([idsOf(gone), gone.body['removed_ids'], gone.body['est_item_count']]).toEqual([[], [two], 2]);

    expect(idsOf(await list(operator))).toEqual([three, one]);
    expect(idsOf(await list(operator, '&include_terminated=true'))).toEqual([three, two, one]);
    const filter = encodeURIComponent('"/item/status" == terminated');
    expect(idsOf(await list(operator, `&include_terminated=true&filter=${filter}`))).toEqual([two]);
  });

  test("has only the caller's own sessions; administrators see all", async () => {
    const [own, other] = [await authorize(operator), await authorize(administrator)];
    expect(idsOf(await list(operator))).toEqual([own['id']]);
    expect(idsOf(await list(administrator))).toEqual([other['id'], own['id']]);
    expect(idsOf(await list(await controller.as('read-only')))).toEqual([]);
    expect((await operator.get(path(other))).status).toBe(403);
    expect((await operator.get('/v1/sessions/s_0000000000')).status).toBe(403);
    expect((await administrator.get('/v1/sessions/s_0000000000')).status).toBe(404);
    const seen = (await administrator.get(path(own))).body;
    expect(seen['authorized_actions']).toEqual(['no-op', 'read', 'cancel']);
    expect((await administrator.get(path(other))).body['authorized_actions']).toEqual([
      'no-op',
      'read',
      'cancel',
      'read:self',
      'cancel:self',
    ]);
    expect((await cancel(operator, other)).status).toBe(403);
    expect((await cancel(administrator, own)).status).toBe(200);
  });

  test('covers one project, or with recursive a whole scope', async () => {
    const project = await administrator.post('/v1/scopes', { scope_id: 'o_1234567890', name: 'other' });
    const scope_id = textOf(project.body, 'id');
    const target = await make.target({ scope_id, address: '10.0.0.1' });
    const session = await authorize(operator, textOf(target, 'id'));
    expect(idsOf(await list(operator))).toEqual([]);
    for (const query of [`scope_id=${scope_id}`, 'recursive=true', 'scope_id=o_1234567890&recursive=true']) {
      expect(idsOf(await operator.get(`/v1/sessions?${query}`))).toEqual([session['id']]);
    }
    for (const query of ['', 'scope_id=global', 'recursive=true&include_terminated=maybe']) {
      expect((await operator.get(`/v1/sessions?${query}`)).status).toBe(400);
    }
    await administrator.delete(`/v1/scopes/${scope_id}`);
    expect((await administrator.get(path(session))).status).toBe(404);
  });
});

test('a session is deleted an hour after its end, and refreshed lists report it to its user', async () => {
  const session = await authorize(operator);
  await cancel(operator, session);
  controller.clock.advance(1000);
  const clients = [operator, administrator, await controller.as('read-only')];
  const listed = await Promise.all(clients.map((client) => list(client, '&include_terminated=true')));
  expect(listed.map(idsOf)).toEqual([[session['id']], [session['id']], []]);

  controller.clock.advance(3_600_000);
  await expect.poll(async () => (await administrator.get(path(session))).status).toBe(404);
  const refreshed = await Promise.all(
    clients.map((client, at) =>
      list(client, `&include_terminated=true&list_token=${textOf(listed[at]?.body ?? {}, 'list_token')}`),
    ),
  );
  expect(refreshed.map(({ body }) => [body['removed_ids'], body['est_item_count']])).toEqual([
    [[session['id']], 0],
    [[session['id']], 0],
    [[], 0],
  ]);
  expect((await operator.get(path(session))).status).toBe(403);
});

describe('a session is canceled when it loses its', () => {
  const statusOf = async (session: Wire): Promise<unknown> =>
    (await administrator.get(path(session))).body['status'];

  test('target', async () => {
    const target = await make.target({ address: '10.0.0.1' });
    const sessions = [];
    for (let count = 0; count < 3; count++) sessions.push(await authorize(operator, textOf(target, 'id')));
    const [session = {}] = sessions;
    await cancel(operator, sessions[2] ?? {});
    const listed = await list(operator);
    await operator.delete(`/v1/targets/${textOf(target, 'id')}`);
    const now = controller.clock.now();
    expect((await administrator.get(path(session))).body).toMatchObject({
      status: 'canceling',
      version: 2,
      termination_reason: '',
      updated_time: at(now),
      states: [
        { status: 'canceling', start_time: at(now), end_time: null },
        { status: 'pending', end_time: at(now) },
      ],
    });
    // Each change is separate: refreshed lists come in pages.
    const first = await list(operator, `&page_size=1&list_token=${textOf(listed.body, 'list_token')}`);
    const next = await list(operator, `&page_size=1&list_token=${textOf(first.body, 'list_token')}`);
    expect(new Set([...idsOf(first), ...idsOf(next)])).toEqual(
      new Set(sessions.slice(0, 2).map(({ id }) => id)),
    );
    controller.clock.advance(1000);
    expect(await statusOf(session)).toBe('terminated');
  });

  test.each(['hosts', 'host-sets', 'host-catalogs'])('%s', async (kind) => {
    const catalog = await make.catalog();
    const host = await make.host(catalog, '10.0.0.1');
    const set = await make.set(catalog, [host]);
    const target = await make.target();
    await operator.post(`/v1/targets/${textOf(target, 'id')}:add-host-sources`, {
      version: 1,
      host_source_ids: [set],
    });
    const session = await authorize(operator, textOf(target, 'id'));
    const id = { hosts: host, 'host-sets': set, 'host-catalogs': catalog }[kind];
    await operator.delete(`/v1/${kind}/${id}`);
    expect(await statusOf(session)).toBe('canceling');
  });

  test("user's access", async () => {
    const session = await authorize(operator);
    const account = controller.accounts.getByLoginName('operator');
    await controller.accounts.update(account?.id ?? '', account?.version ?? 0, { disabled: true });
    await expect.poll(() => statusOf(session)).toBe('canceling');
  });

  test("user's access, also if that can't be written at first", async () => {
    const session = await authorize(operator);
    const account = controller.accounts.getByLoginName('operator');
    using database = new DatabaseSync(join(controller.dataDir, 'access-controller.db'));
    database.exec(`CREATE TRIGGER broken BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    await controller.accounts.update(account?.id ?? '', account?.version ?? 0, { disabled: true });
    await expect.poll(() => logged).toContain('sessions not canceled');
    expect(await statusOf(session)).toBe('pending');
    database.exec('DROP TRIGGER broken');
    await expect.poll(() => statusOf(session)).toBe('canceling');
  });

  test("user's access, also if the process ended just then", async () => {
    // Never checks: its first check would cancel the session too, if it came so late.
    await using ended = await startController({ upkeepMs: 2 ** 30 });
    const session = await authorize(await ended.as('operator'));
    const { dataDir, accounts, clock } = ended;
    const reader = await ended.as('administrator');
    const statusOf = async (): Promise<unknown> => (await reader.get(path(session))).body['status'];
    const other = openAccounts({ file: join(dataDir, 'accounts.db') });
    const account = other.getByLoginName('operator');
    await other.update(account?.id ?? '', account?.version ?? 0, { disabled: true });
    await other.close();
    expect(await statusOf()).toBe('pending');
    const next = await createService({ dataDir, accounts, clock, upkeepMs: 10 });
    await expect.poll(statusOf).toBe('canceling');
    await next.close();
  });

  test("user's access, but not when the account is missing at a start", async () => {
    await using ended = await startController({ upkeepMs: 2 ** 30 });
    const { dataDir, accounts, clock } = ended;
    await accounts.create({ loginName: 'ada', password: testPassword, roles: { access: 'operator' } });
    const sessions = [
      await authorize(await signIn({ address: ended.url }, 'ada')),
      await authorize(await ended.as('operator')),
    ];
    const reader = await ended.as('administrator');
    const statuses = () =>
      Promise.all(sessions.map(async (session) => (await reader.get(path(session))).body['status']));
    const restore = withdrawAccounts(join(dataDir, 'accounts.db'), ['ada']);
    const other = openAccounts({ file: join(dataDir, 'accounts.db') });
    await other.remove(other.getByLoginName('operator')?.id ?? '');
    await other.close();
    const next = await createService({ dataDir, accounts, clock, upkeepMs: 10 });
    await expect.poll(async () => (await statuses())[1]).toBe('canceling');
    await next.close();
    expect(await statuses()).toEqual(['pending', 'canceling']);
    restore();
  });
});
