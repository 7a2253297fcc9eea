import { firstAccountId } from '@gatehouse/service-kit/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  blamedFields,
  clientOf,
  itemsOf,
  signIn,
  startController,
  testPassword,
  textOf,
} from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';

let controller: TestController;
let administrator: Client;
beforeEach(async () => {
  controller = await startController();
  administrator = await controller.as('administrator');
});
afterEach(() => controller[Symbol.asyncDispose]());

const create = async (fields: Wire = {}): Promise<Wire> => {
  const body = { login_name: 'ada', password: testPassword, ...fields };
  const answer = await administrator.post('/v1/users', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};
const patch = (user: Wire, fields: Wire): Promise<Answer> =>
  administrator.patch(`/v1/users/${textOf(user, 'id')}`, { version: user['version'], ...fields });
const read = async (user: Wire): Promise<Wire> =>
  (await administrator.get(`/v1/users/${textOf(user, 'id')}`)).body;
const attempt = async (loginName: string, password: string): Promise<number> =>
  (
    await controller.anonymous.post('/v1/auth-methods/ampw_1234567890:authenticate', {
      command: 'login',
      attributes: { login_name: loginName, password },
    })
  ).status;
const works = async (client: Client): Promise<number> => (await client.get('/v1/scopes/global')).status;
const none = { access: null, secrets: null, boxes: null, modules: null };

describe('a user', () => {
  test('is created with a password and roles, and can sign in', async () => {
    const user = await create({
      scope_id: 'global',
      login_name: ' Ada ',
      full_name: ' Ada L. ',
      email: 'ada@example.com',
      roles: { access: 'operator', secrets: 'read-only', boxes: null },
    });
    expect(user).toMatchObject({
      id: expect.stringMatching(/^u_/),
      scope: { id: 'global' },
      login_name: 'Ada',
      name: 'Ada',
      full_name: 'Ada L.',
      email: 'ada@example.com',
      role: 'operator',
      roles: { ...none, access: 'operator', secrets: 'read-only' },
      disabled: false,
      version: 1,
      authorized_actions: ['no-op', 'read', 'update', 'delete'],
    });
    expect(JSON.stringify(user)).not.toContain(testPassword);
    expect(await read(user)).toEqual(user);
    const ada = await signIn({ address: controller.url }, 'ada');
    expect((await ada.get(`/v1/users/${textOf(user, 'id')}`)).body).toEqual({
      ...user,
      authorized_actions: ['no-op', 'read'],
    });
    expect(await create({ login_name: 'plain' })).toMatchObject({ roles: none, full_name: '', email: '' });
  });

  test.each([
    [{ login_name: undefined, password: undefined }, ['login_name', 'password']],
    [{ login_name: null, password: null }, ['login_name', 'password']],
    [{ login_name: 'ab' }, ['login_name']],
    [{ login_name: 'a b c' }, ['login_name']],
    [{ login_name: 5 }, ['login_name']],
    [{ login_name: 'OPERATOR' }, ['login_name']],
    [{ password: '1234567' }, ['password']],
    [{ password: 'x'.repeat(1001) }, ['password']],
    [{ full_name: 'x'.repeat(201), email: 'a\nb' }, ['email', 'full_name']],
    [{ scope_id: 'o_1234567890' }, ['scope_id']],
    [{ disabled: true }, ['disabled']],
    [{ roles: { access: 'owner', boxes: 5 } }, ['roles.access', 'roles.boxes']],
    [{ roles: { kitchen: 'operator' } }, ['roles']],
    [{ roles: null }, ['roles']],
    [{ roles: 'operator' }, ['roles']],
  ])('is not created from %j', async (fields, blamed) => {
    const body = { login_name: 'ada', password: testPassword, ...fields };
    const refused = await administrator.post('/v1/users', body);
    expect([refused.status, blamedFields(refused)]).toEqual([400, blamed]);
    expect(controller.accounts.getByLoginName('ada')).toBeUndefined();
  });

  test('is changed field by field with the current version', async () => {
    const user = await create({ full_name: 'Ada', email: 'a@b', roles: { access: 'operator' } });
    controller.clock.advance(1000);
    const renamed = await patch(user, { full_name: 'Ada L.', email: null, login_name: 'ada.l' });
    expect(renamed.body).toEqual({
      ...user,
      name: 'ada.l',
      login_name: 'ada.l',
      full_name: 'Ada L.',
      email: '',
      version: 2,
      updated_time: new Date(controller.clock.now()).toISOString(),
    });
    const roles = await patch(renamed.body, { roles: { access: 'read-only', modules: 'administrator' } });
    expect(roles.body['roles']).toEqual({ ...none, access: 'read-only', modules: 'administrator' });
    expect((await patch(roles.body, { roles: { access: null } })).body).toMatchObject({
      role: '',
      roles: { ...none, modules: 'administrator' },
      version: 4,
    });
    const stale = await patch(user, { email: 'x' });
    expect(stale).toMatchObject({
      status: 404,
      body: { message: `User "${textOf(user, 'id')}" not found or incorrect version provided.` },
    });
    const unknown = await patch({ id: 'u_0000000000', version: 1 }, { email: 'x' });
    expect(unknown.body['message']).toBe('User "u_0000000000" not found or incorrect version provided.');
    const wrong: readonly (readonly [Wire, readonly string[]])[] = [
      [{}, ['update_mask']],
      [{ roles: {} }, ['update_mask']],
      [{ version: undefined, email: 'x' }, ['version']],
      [{ login_name: null }, ['login_name']],
      [{ login_name: 'operator', version: 4 }, ['login_name']],
      [{ disabled: 'yes' }, ['disabled']],
      [{ roles: { access: 'owner' } }, ['roles.access']],
    ];
    for (const [fields, blamed] of wrong) {
      const refused = await patch(user, fields);
      expect([fields, refused.status, blamedFields(refused)]).toEqual([fields, 400, blamed]);
    }
    expect((await read(user))['version']).toBe(4);
  });

  test('loses access at once when disabled, and can be enabled again', async () => {
    const user = await create({ roles: { access: 'operator' } });
    const ada = await signIn({ address: controller.url }, 'ada');
    const disabled = await patch(user, { disabled: true });
    expect(disabled.body).toMatchObject({ disabled: true, version: 2 });
    expect([await works(ada), await attempt('ada', testPassword)]).toEqual([401, 401]);
    expect((await patch(disabled.body, { disabled: null })).body['disabled']).toBe(false);
    expect(await attempt('ada', testPassword)).toBe(200);
  });

  test('is deleted with their sessions and tokens, and the name is free', async () => {
    const user = await create({ roles: { access: 'operator' } });
    const ada = await signIn({ address: controller.url }, 'ada');
    const session = await ada.post('/v1/targets/ttcp_1234567890:authorize-session', {});
    const path = `/v1/users/${textOf(user, 'id')}`;
    expect(await administrator.delete(path)).toMatchObject({ status: 204, body: {} });
    expect([await works(ada), await attempt('ada', testPassword)]).toEqual([401, 401]);
    expect((await administrator.get(path)).status).toBe(404);
    expect((await administrator.delete(path)).status).toBe(404);
    const of = (await administrator.get(`/v1/sessions/${textOf(session.body, 'session_id')}`)).body;
    expect(of).toMatchObject({ status: 'canceling', user_id: user['id'] });
    await create();
  });

  test('changes for one of twenty writers with the same version', async () => {
    const user = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => patch(user, { full_name: `writer ${n}` })),
    );
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1);
  });
});

describe('the last enabled administrator', () => {
  test("can't be deleted, disabled or demoted by anyone", async () => {
    const admin = await read({ id: firstAccountId });
    expect(admin['authorized_actions']).toEqual(['no-op', 'read', 'update']);
    const refusals = [
      await patch(admin, { disabled: true }),
      await patch(admin, { roles: { access: 'operator' } }),
      await patch(admin, { roles: { access: null, boxes: 'operator' } }),
      await administrator.delete(`/v1/users/${firstAccountId}`),
    ];
    for (const refused of refusals) {
      expect(refused).toMatchObject({ status: 400, body: { kind: 'FailedPrecondition' } });
    }
    expect(refusals[0]?.body['message']).toMatch(/last enabled administrator/);
    expect(await read(admin)).toEqual(admin);
    expect((await patch(admin, { roles: { boxes: 'operator' } })).status).toBe(200);

    const other = await create({ roles: { access: 'administrator' } });
    const second = await signIn({ address: controller.url }, 'ada');
    const demoted = await second.patch(`/v1/users/${firstAccountId}`, {
      version: 2,
      roles: { access: 'operator' },
    });
    expect(demoted.status).toBe(200);
    expect((await second.delete(`/v1/users/${textOf(other, 'id')}`)).status).toBe(400);
  });
});

describe('accounts', () => {
  const accountOf = (userId: string): string => `acctpw_${userId.slice(2)}`;

  test('are listed and read', async () => {
    const user = await create();
    const id = accountOf(textOf(user, 'id'));
    const account = (await administrator.get(`/v1/accounts/${id}`)).body;
    expect(account).toEqual({
      id,
      scope: user['scope'],
      name: 'ada',
      description: '',
      created_time: user['created_time'],
      updated_time: user['updated_time'],
      version: 1,
      type: 'password',
      auth_method_id: 'ampw_1234567890',
      user_id: user['id'],
      attributes: { login_name: 'ada' },
      authorized_actions: ['no-op', 'read', 'set-password'],
    });
    const list = '/v1/accounts?auth_method_id=ampw_1234567890';
    const listed = await administrator.get(list);
    expect(itemsOf(listed)).toContainEqual(account);
    expect(itemsOf(listed)).toHaveLength(5);
    const filtered = await administrator.get(
      `${list}&filter=${encodeURIComponent('"/item/attributes/login_name" == ada')}`,
    );
    expect(itemsOf(filtered)).toEqual([account]);
    expect(blamedFields(await administrator.get('/v1/accounts?filter=('))).toEqual([
      'auth_method_id',
      'filter',
    ]);
    expect((await administrator.get('/v1/accounts?auth_method_id=ampw_0000000000')).status).toBe(404);
    expect((await administrator.get('/v1/accounts/acctpw_0000000000')).status).toBe(404);
    expect(blamedFields(await administrator.get(`/v1/accounts/${textOf(user, 'id')}`))).toEqual(['id']);
  });

  test('get a new password from an administrator, which signs the user out', async () => {
    const user = await create({ roles: { access: 'operator' } });
    const ada = await signIn({ address: controller.url }, 'ada');
    const path = `/v1/accounts/${accountOf(textOf(user, 'id'))}:set-password`;
    const wrong: readonly (readonly [Wire, readonly string[]])[] = [
      [{ password: 'new password' }, ['version']],
      [{ version: 1 }, ['password']],
      [{ version: 1, password: 'short' }, ['password']],
      [{ version: 1, password: 5 }, ['password']],
    ];
    for (const [body, blamed] of wrong) {
      const refused = await administrator.post(path, body);
      expect([refused.status, blamedFields(refused)]).toEqual([400, blamed]);
    }
    expect(await administrator.post(path, { version: 2, password: 'new password' })).toMatchObject({
      status: 404,
      body: { message: expect.stringMatching(/^Account "acctpw_\w+" not found or incorrect version/) },
    });
    expect(await attempt('ada', testPassword)).toBe(200);
    const set = await administrator.post(path, { version: 1, password: 'new password' });
    expect(set).toMatchObject({ status: 200, body: { version: 2 } });
    expect([await attempt('ada', testPassword), await attempt('ada', 'new password')]).toEqual([401, 200]);
    expect(await works(ada)).toBe(401);
    const unknown = '/v1/accounts/acctpw_0000000000:set-password';
    expect((await administrator.post(unknown, { version: 1, password: 'new password' })).status).toBe(404);
  });

  test('change their own password only with the current one', async () => {
    // The user has no role in this service, but the password is shared with the other services.
    const user = await create();
    const ada = await signIn({ address: controller.url }, 'ada');
    const path = `/v1/accounts/${accountOf(textOf(user, 'id'))}:change-password`;
    const body = { version: 1, current_password: testPassword, new_password: 'new password' };
    const wrong: readonly (readonly [Wire, readonly string[]])[] = [
      [{ version: undefined }, ['version']],
      [{ current_password: undefined }, ['current_password']],
      [{ current_password: 'not this one' }, ['current_password']],
      [{ new_password: undefined }, ['new_password']],
      [{ new_password: 'short' }, ['new_password']],
      [{ new_password: testPassword }, ['new_password']],
    ];
    for (const [fields, blamed] of wrong) {
      const refused = await ada.post(path, { ...body, ...fields });
      expect([fields, refused.status, blamedFields(refused)]).toEqual([fields, 400, blamed]);
    }
    expect((await ada.post(path, { ...body, version: 2 })).status).toBe(404);
    expect((await administrator.post(path, body)).status).toBe(403);
    expect(await attempt('ada', testPassword)).toBe(200);
    expect(await ada.post(path, body)).toMatchObject({
      status: 200,
      body: { version: 2, authorized_actions: ['change-password'] },
    });
    expect([await attempt('ada', testPassword), await attempt('ada', 'new password')]).toEqual([401, 200]);
    expect(await works(ada)).toBe(401);
  });

  test('limit guesses at password changes as at sign-ins', async () => {
    await using limited = await startController({
      guesses: { burst: 2, perSecond: 0.1 },
    });
    const client = await signIn({ address: limited.url }, 'operator');
    const account = limited.accounts.getByLoginName('operator');
    const path = `/v1/accounts/${accountOf(account?.id ?? '')}:change-password`;
    const guess = { version: 1, current_password: 'guess', new_password: 'new password' };
    // The sign-in succeeded, so it doesn't count.
    expect((await client.post(path, guess)).status).toBe(400);
    expect((await client.post(path, guess)).status).toBe(400);
    const refused = await client.post(path, guess);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeTruthy();
    expect(await works(clientOf({ address: limited.url }, client.token))).toBe(200);
  });
});
