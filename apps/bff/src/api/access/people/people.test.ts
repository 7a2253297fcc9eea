import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { roles } from '@gatehouse/api-types/console/people';
import { connectingRoles } from '@gatehouse/api-types/console/target-values';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { signInAs, confirmAs, startConsole } from '#test/console.ts';
import { startEmbedded, type EmbeddedConsole } from '#test/embedded.ts';
import { faultProxy } from '#test/fault-proxy.ts';

const people = '/api/environments/test/access/people';
const ownPassword = '/api/environments/test/access/own-password';
let embedded: EmbeddedConsole;
let admin: Browser;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbedded();
});
beforeEach(async () => {
  admin = await embedded.signedIn();
  await confirm(admin);
});
afterAll(() => embedded.close());

const confirm = (by: Browser) => confirmAs(by, testPassword);
async function create(fields: Record<string, unknown> = {}) {
  const answer = await admin.send('POST', people, {
    body: {
      login_name: `person-${++count}`,
      password: testPassword,
      roles: { access: 'operator' },
      ...fields,
    },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { id: string; revision: string; login_name: string };
}
const patch = (id: string, revision: string, body: unknown, by = admin) =>
  by.send('PATCH', `${people}/${id}`, { revision, body });
async function signInNow(loginName: string, password: string): Promise<Browser> {
  const browser = embedded.console.browser();
  await signInAs(browser, loginName, password);
  return browser;
}

describe('people', () => {
  test('are created, listed, changed, disabled and deleted', async () => {
    const made = await create({ full_name: 'Ada', email: 'ada@example.com' });
    expect(made).toMatchObject({
      revision: '1',
      full_name: 'Ada',
      email: 'ada@example.com',
      disabled: false,
      roles: { access: 'operator', secrets: null, boxes: null, modules: null },
    });
    const filter = encodeURIComponent(`"/item/login_name" == "${made.login_name}"`);
    expect((await admin.send('GET', `${people}?filter=${filter}`)).json['items']).toEqual([made]);
    const changed = await patch(made.id, '1', {
      full_name: '',
      roles: { access: 'read-only', boxes: 'operator' },
    });
    expect(changed.json).toMatchObject({
      revision: '2',
      full_name: '',
      email: 'ada@example.com',
      roles: { access: 'read-only', boxes: 'operator' },
    });
    const activity = '/api/environments/test/activity';
    const { items } = (await admin.send('GET', `${activity}?action=person.update&resource_id=${made.id}`))
      .json;
    const { sequence } = (items as { sequence: number }[])[0] ?? {};
    expect((await admin.send('GET', `${activity}/${sequence}`)).json['values']).toEqual([
      { path: 'full_name', before: 'Ada', after: '' },
      { path: 'roles.access', before: 'operator', after: 'read-only' },
      { path: 'roles.boxes', before: null, after: 'operator' },
    ]);
    expect((await patch(made.id, '2', { roles: { access: null } })).json).toMatchObject({
      roles: { access: null, boxes: 'operator' },
    });
    expect((await patch(made.id, '2', { email: 'x' })).json).toMatchObject({
      status: 409,
      conflict: { resource: { kind: 'person' }, current: { revision: '3' } },
    });
    expect((await patch(made.id, '3', { disabled: true })).json).toMatchObject({ disabled: true });
    await expect(signInNow(made.login_name, testPassword)).rejects.toThrow(/401/);
    expect((await admin.send('DELETE', `${people}/${made.id}`, { revision: '4' })).status).toBe(204);
    expect((await admin.send('GET', `${people}/${made.id}`)).status).toBe(404);
  });

  test('are refused with the reason beside the field', async () => {
    const made = await create();
    const body = { login_name: 'somebody', password: testPassword, roles: {} };
    for (const [fields, path] of [
      [{ login_name: 'a b c' }, 'login_name'],
      [{ login_name: made.login_name.toUpperCase() }, 'login_name'],
      [{ password: 'short' }, 'password'],
      [{ email: 'x'.repeat(201) }, 'email'],
      [{ roles: { access: 'owner' } }, 'roles.access'],
    ] as const) {
      const answer = await admin.send('POST', people, { body: { ...body, ...fields } });
      expect(answer.json, answer.text).toMatchObject({ status: 400, fields: [{ path }] });
    }
  });

  test('always include an administrator, and the refusal says why', async () => {
    const { json } = await admin.send(
      'GET',
      `${people}?filter=${encodeURIComponent('"/item/login_name" == admin')}`,
    );
    const [first] = json['items'] as { id: string; revision: string }[];
    const others = (await admin.send('GET', people)).json['items'] as {
      id: string;
      revision: string;
      roles: { access: string | null };
    }[];
    for (const one of others) {
      if (one.id !== first?.id && one.roles.access === 'administrator')
        await patch(one.id, one.revision, { roles: { access: 'operator' } });
    }
    const answer = await patch(first?.id ?? '', first?.revision ?? '', { roles: { access: 'operator' } });
    expect(answer.json).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/administrator must remain: make another person an administrator first/),
    });
  });

  test('require the password again for every change of rights', async () => {
    const made = await create();
    const fresh = await embedded.signedIn();
    const refused = [
      await fresh.send('POST', people, { body: { login_name: 'xyz', password: testPassword, roles: {} } }),
      await patch(made.id, '1', { roles: { access: 'administrator' } }, fresh),
      await patch(made.id, '1', { disabled: true, email: 'x' }, fresh),
      await fresh.send('DELETE', `${people}/${made.id}`, { revision: '1' }),
      await fresh.send('POST', `${people}/${made.id}/reset-password`, {
        revision: '1',
        body: { new_password: 'another password' },
      }),
    ];
    for (const answer of refused)
      expect(answer.json).toMatchObject({ code: 'confirmation-required', status: 403 });
    expect((await admin.send('GET', `${people}/${made.id}`)).json).toEqual(made);
    // A name changes no rights.
    expect((await patch(made.id, made.revision, { full_name: 'Ada' }, fresh)).status).toBe(200);
  });

  test('can be read but not changed by an operator', async () => {
    const made = await create();
    const operator = await embedded.signedIn('operator');
    await confirm(operator);
    expect((await operator.send('GET', `${people}/${made.id}`)).json).toMatchObject({
      authorized_actions: ['no-op', 'read'],
    });
    const denied = [
      await operator.send('POST', people, { body: { login_name: 'xyz', password: testPassword, roles: {} } }),
      await patch(made.id, '1', { roles: { access: 'administrator' } }, operator),
      await operator.send('DELETE', `${people}/${made.id}`, { revision: '1' }),
      await operator.send('POST', `${people}/${made.id}/reset-password`, {
        revision: '1',
        body: { new_password: 'another password' },
      }),
    ];
    for (const answer of denied) expect(answer.json).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('are recorded as locked out, with the number of ended sessions, and as let in again', async () => {
    const made = await create();
    await signInNow(made.login_name, testPassword);
    await patch(made.id, '1', { disabled: true, email: 'a@example.com' });
    await patch(made.id, '2', { disabled: false });
    const activity = '/api/environments/test/activity';
    const { json } = await admin.send('GET', `${activity}?action=person.update&resource_id=${made.id}`);
    const items = json['items'] as { sequence: number; paths: string[] }[];
    expect(items.map(({ paths }) => paths)).toEqual([
      ['disabled=false'],
      ['email', 'disabled=true', 'ended-sessions=1'],
    ]);
    expect((await admin.send('GET', `${activity}/${items[1]?.sequence}`)).json['values']).toEqual([
      { path: 'email', before: '', after: 'a@example.com' },
      { path: 'disabled', before: 'false', after: 'true' },
    ]);
  });

  const trailOf = async (request: unknown, by = admin) => {
    const { json } = await by.send('GET', `/api/environments/test/activity?request_id=${String(request)}`);
    return (json['items'] as { resource: { id: string } }[]).map(({ resource, ...entry }) => ({
      ...entry,
      id: resource.id,
    }));
  };
  const openSession = async (by: Browser): Promise<string> => {
    const target = '/api/environments/test/access/targets/ttcp_1234567890';
    const answer = await by.send('POST', `${target}/authorize-session`, { body: {} });
    return String(answer.json['session_id']);
  };

  test('are locked out: disabled, signed out, and without open sessions on targets', async () => {
    const made = await create();
    await openSession(await signInNow(made.login_name, testPassword));
    const path = `${people}/${made.id}/lock-out`;
    const answer = await admin.send('POST', path);
    expect(answer.json).toEqual({
      revision: '2',
      steps: [
        { is_done: true, count: 1, words: 'Signed out of the console.' },
        { is_done: true, count: 1, words: '1 session on targets is being canceled.' },
      ],
    });
    expect((await admin.send('GET', `${people}/${made.id}`)).json).toMatchObject({ disabled: true });
    await expect(signInNow(made.login_name, testPassword)).rejects.toThrow(/401/);
    expect(await trailOf(answer.headers['x-request-id'])).toMatchObject([
      {
        action: 'person.lock-out',
        id: made.id,
        outcome: 'succeeded',
        paths: ['ended-sessions=1', 'cancelled-sessions=1'],
        revision_after: '2',
      },
    ]);
    // Repeating it changes nothing.
    expect((await admin.send('POST', path)).json).toMatchObject({ revision: '2' });
  });

  test("can't lock themselves out, or be locked out by users without the right to edit them", async () => {
    const made = await create({ roles: { access: 'administrator' } });
    const own = await signInNow(made.login_name, testPassword);
    await confirm(own);
    expect((await own.send('POST', `${people}/${made.id}/lock-out`)).json).toMatchObject({
      status: 400,
      detail: "You can't lock out yourself.",
    });
    const operator = await embedded.signedIn('operator');
    await confirm(operator);
    expect((await operator.send('POST', `${people}/${made.id}/lock-out`)).json).toMatchObject({
      code: 'forbidden',
    });
    expect((await admin.send('GET', `${people}/${made.id}`)).json).toMatchObject({ disabled: false });
  });

  test('whose account a controller refuses to disable lose their sessions, as parts of the lock-out', async () => {
    await using controller = await startController();
    const proxy = await faultProxy(Number(new URL(controller.url).port));
    const own = await startConsole({
      access: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
      clock: controller.clock,
    });
    const [by, their] = [own.browser(), own.browser()];
    await signInAs(by, 'admin', testPassword);
    await confirm(by);
    await signInAs(their, 'operator', testPassword);
    const session = await openSession(their);
    const { items } = (await by.send('GET', people)).json;
    const { id } = (items as { id: string; login_name: string }[]).find(
      ({ login_name }) => login_name === 'operator',
    ) ?? { id: '' };
    // A Boundary doesn't know the field.
    proxy.onRequest = (bytes) => {
      const at = bytes.indexOf('"disabled"');
      if (at !== -1) bytes.write('"unknown!"', at);
    };
    const answer = await by.send('POST', `${people}/${id}/lock-out`);
    expect(answer.json).toMatchObject({
      status: 400,
      detail: expect.stringMatching(
        /refused.* Signed out of the console\. 1 session on targets is being canceled\.$/,
      ),
    });
    expect((await their.send('GET', '/api/sessions')).status).toBe(401);
    const request = answer.headers['x-request-id'];
    expect(await trailOf(request, by)).toMatchObject([
      { action: 'session.cancel', id: session, paths: ['part-of=person.lock-out'], outcome: 'succeeded' },
      { action: 'person.lock-out', id, outcome: 'refused', request_id: request },
    ]);
    await own.close();
    await proxy.close();
  });

  test('are signed out of the console by those who can edit them', async () => {
    const made = await create();
    const browsers = [
      await signInNow(made.login_name, testPassword),
      await signInNow(made.login_name, testPassword),
    ];
    const operator = await embedded.signedIn('operator');
    const path = `${people}/${made.id}/console-sessions`;
    const countOf = async () => ((await admin.send('GET', path)).json['sessions'] as unknown[]).length;
    expect(await countOf()).toBe(2);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await operator.send(method, path)).json).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await countOf()).toBe(2);
    expect((await admin.send('DELETE', path)).json).toEqual({ ended: 2 });
    expect(await countOf()).toBe(0);
    for (const browser of browsers) expect((await browser.send('GET', '/api/sessions')).status).toBe(401);
    // The session that did it stays.
    const own = await operator.send('GET', '/api/environments/test/access/people');
    const admins = (own.json['items'] as { id: string; login_name: string }[]).find(
      ({ login_name }) => login_name === 'admin',
    );
    const mine = await admin.send('GET', `${people}/${admins?.id ?? ''}/console-sessions`);
    expect(mine.json['sessions']).toContainEqual(expect.objectContaining({ current: true }));
    await admin.send('DELETE', `${people}/${admins?.id ?? ''}/console-sessions`);
    expect((await admin.send('GET', '/api/sessions')).json['sessions']).toHaveLength(1);
  });

  test('may authorize sessions on a target with exactly the roles that the page names', async () => {
    const allowed: string[] = [];
    for (const access of roles) {
      const { login_name: loginName } = await create({ roles: { access } });
      const by = await signInNow(loginName, testPassword);
      const target = await by.send('GET', '/api/environments/test/access/targets/ttcp_1234567890');
      if ((target.json['authorized_actions'] as string[]).includes('authorize-session')) allowed.push(access);
    }
    expect(allowed).toEqual(connectingRoles);
  });
});

describe('passwords', () => {
  test('are reset by an administrator at the revision that they saw', async () => {
    const made = await create();
    const reset = (revision: string) =>
      admin.send('POST', `${people}/${made.id}/reset-password`, {
        revision,
        body: { new_password: 'another password' },
      });
    expect((await reset('2')).json).toMatchObject({ status: 409, conflict: { currentRevision: '1' } });
    await signInNow(made.login_name, testPassword);
    expect((await reset('1')).json).toMatchObject({ revision: '2' });
    await expect(signInNow(made.login_name, testPassword)).rejects.toThrow(/401/);
    await signInNow(made.login_name, 'another password');
  });

  test('are changed by their owner, who stays signed in', async () => {
    const made = await create();
    const here = await signInNow(made.login_name, testPassword);
    const there = await signInNow(made.login_name, testPassword);
    const change = (current_password: string, new_password: string) =>
      here.send('POST', ownPassword, { body: { current_password, new_password } });
    expect((await change('not this one', 'another password')).json).toMatchObject({
      status: 400,
      fields: [{ path: 'current_password' }],
    });
    expect((await change(testPassword, 'short')).json).toMatchObject({ fields: [{ path: 'new_password' }] });
    expect((await change(testPassword, testPassword)).json).toMatchObject({
      fields: [{ path: 'new_password' }],
    });
    expect((await change(testPassword, 'another password')).status).toBe(204);
    expect((await here.send('GET', `${people}/${made.id}`)).status).toBe(200);
    expect((await there.send('GET', `${people}/${made.id}`)).json).toMatchObject({ code: 'unauthenticated' });
    await expect(signInNow(made.login_name, testPassword)).rejects.toThrow(/401/);
  });

  test("are changed even if the new token can't be stored; it is revoked", async () => {
    const { id, login_name: loginName } = await create();
    const here = await signInNow(loginName, testPassword);
    const body = { current_password: testPassword, new_password: 'another password' };
    using file = new DatabaseSync(join(embedded.console.dataDir, 'console.db'));
    file.exec(`CREATE TRIGGER full BEFORE INSERT ON connection BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const changed = await here.send('POST', ownPassword, { body });
    file.exec('DROP TRIGGER full');
    expect(changed.status).toBe(204);
    await embedded.console.bff.upkeep();
    using controller = new DatabaseSync(join(embedded.controller.dataDir, 'access-controller.db'));
    expect(controller.prepare('SELECT id FROM auth_token WHERE user_id = ?').all(id)).toEqual([]);
  });

  test("can't be guessed in an open session", async () => {
    const made = await create();
    const here = await signInNow(made.login_name, testPassword);
    const codes: unknown[] = [];
    for (let n = 0; n < 8; n++) {
      const body = { current_password: `guess ${n}`, new_password: 'another password' };
      codes.push((await here.send('POST', ownPassword, { body })).json['code']);
    }
    expect(codes).toContain('rate-limited');
  });
});
