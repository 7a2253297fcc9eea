import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs, signInAs, type TestConsole } from '#test/console.ts';
import { answering, faultProxy, type FaultProxy } from '#test/fault-proxy.ts';
import { act, moveIn, movesApi, readMove, startMoves, type MovesConsole } from '#test/moves.ts';
import { startPostgres } from '#test/postgres.ts';
import { beginUpload, imageOf, patch, runsApi, sendAll, startRun, uploadIn } from '#test/publish.ts';

const people = '/api/environments/test/access/people';
const postgres = await startPostgres();
let controller: Awaited<ReturnType<typeof startController>>;
/** Between console and controller. */
let proxy: FaultProxy;
/**
 * A console with an access controller, which another environment names too, and a registry that has its own accounts.
 */
let moves: MovesConsole;
let admin: Browser;
let count = 0;

beforeAll(async () => {
  controller = await startController();
  proxy = await faultProxy(Number(new URL(controller.url).port));
  const access = { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) } as const;
  const services = { access: { endpoint: access, signIn: ['password'] } } as const;
  const second = {
    id: 'second',
    name: 'Second',
    kind: 'production',
    sharedAccounts: false,
    services,
  } as const;
  moves = await startMoves({ access, others: [second] });
});
beforeEach(async () => {
  moves.source.proxy.fault = { kind: 'silence' };
  moves.source.proxy.drop();
  admin = await signedIn('admin');
  await confirmAs(admin, testPassword);
});
afterAll(async () => {
  await moves[Symbol.asyncDispose]();
  await proxy.close();
  await controller[Symbol.asyncDispose]();
  await postgres?.close();
});

const connectWith = async (page: Browser, credentials: object, service: string): Promise<void> => {
  const { status, text } = await page.send('POST', `/api/environments/test/connections/${service}`, {
    body: { credentials },
  });
  expect(status, text).toBe(200);
};
const connect = (page: Browser, loginName: string, service: string): Promise<void> =>
  connectWith(page, { method: 'password', login_name: loginName, password: testPassword }, service);
/** A browser signed in at the access controller, and connected to the registry with an account there. */
async function signedIn(
  loginName: string,
  registryName = loginName,
  at: TestConsole = moves.here.console,
): Promise<Browser> {
  const page = at.browser();
  await signInAs(page, loginName, testPassword);
  await connect(page, registryName, 'boxes');
  return page;
}
/** The same with a pasted token, which stays valid when the session ends. */
async function withToken(loginName: string, at = moves.here.console): Promise<Browser> {
  const page = at.browser();
  await signInAs(page, loginName, testPassword);
  const { token } = await moves.here.server.as('operator');
  await connectWith(page, { method: 'token', token }, 'boxes');
  return page;
}
const create = async (): Promise<{ id: string; revision: string; login_name: string }> => {
  const body = { login_name: `person-${++count}`, password: testPassword, roles: { access: 'operator' } };
  const { json } = await admin.send('POST', people, { body });
  return { id: String(json['id']), revision: String(json['revision']), login_name: body.login_name };
};
/** A move whose source is silent. */
const begun = async (page: Browser): Promise<string> => {
  const body = { kind: 'boxes', address: moves.source.url, token: '', wanted: ['admin/any'] };
  return moveIn(await page.send('POST', movesApi, { body })).id;
};
const pathsOf = async (action: string, id: string): Promise<unknown> => {
  const found = await admin.send('GET', `/api/environments/test/activity?action=${action}&resource_id=${id}`);
  return (found.json['items'] as { paths: string[] }[]).map(({ paths }) => paths);
};

test('a lock-out pauses moves and stops deliveries at a registry with other accounts', async () => {
  const { here } = moves;
  const person = await create();
  // The token of a move or delivery outlives the session.
  const former = await signedIn(person.login_name, 'operator');
  const held = here.proxy.meetBody(100_000, 'hold');
  const image = imageOf(200_000, 1);
  const run = await startRun(former, 'held', undefined, undefined, 'operator');
  await sendAll(former, (await beginUpload(former, run, image)).path, image);
  await held;
  const ids = [await begun(former)];
  await former.send('DELETE', '/api/session');
  // This one belongs to the session, whose owner is known by the account at the registry.
  const other = here.console.browser();
  await signInAs(other, 'operator', testPassword, 'boxes');
  await connect(other, person.login_name, 'access');
  ids.push(await begun(other));
  const unrelated = await begun(admin);

  const locked = await admin.send('POST', `${people}/${person.id}/lock-out`);
  expect(locked.json['steps']).toEqual([
    { is_done: true, count: 1, words: 'Signed out of the console.' },
    { is_done: true, count: 2, words: '2 moves paused.' },
    { is_done: true, count: 1, words: '1 delivery stopped.' },
    { is_done: true, count: 0, words: 'No open sessions on targets are left.' },
  ]);
  expect(await pathsOf('person.lock-out', person.id)).toEqual([
    ['ended-sessions=1', 'paused-moves=2', 'stopped-deliveries=1', 'cancelled-sessions=0'],
  ]);
  for (const id of ids)
    expect(await readMove(admin, id)).toMatchObject({
      state: 'paused',
      pause: { reason: 'token-ended', detail: expect.stringContaining('owner can no longer sign in') },
    });
  expect(await readMove(admin, unrelated)).toMatchObject({ state: 'planning' });
  // Others can continue the move.
  moveIn(await act(admin, ids[0] ?? '', 'resume', { token: '' }));
  for (const id of [unrelated, ...ids.slice(0, 1)]) await act(admin, id, 'abandon');

  here.proxy.passBodies();
  here.proxy.drop();
  const { revision } = (await admin.send('GET', `${people}/${person.id}`)).json;
  await admin.send('PATCH', `${people}/${person.id}`, {
    revision: String(revision),
    body: { disabled: false },
  });
  const back = await signedIn(person.login_name, 'operator');
  expect(await uploadIn(back, run.id, ['failed', 'done'])).toMatchObject({
    state: 'failed',
    retry: 'deliver',
    problem: { detail: 'The delivery was stopped because you could no longer sign in.' },
  });
});

test('disabling or deleting a user pauses their moves', async () => {
  const [disabled, deleted] = [await create(), await create()];
  const ids = [];
  for (const { login_name } of [disabled, deleted]) {
    const page = await signedIn(login_name, 'operator');
    ids.push(await begun(page));
    await page.send('DELETE', '/api/session');
  }
  await admin.send('PATCH', `${people}/${disabled.id}`, {
    revision: disabled.revision,
    body: { disabled: true },
  });
  expect(await pathsOf('person.update', disabled.id)).toEqual([['disabled=true', 'paused-moves=1']]);
  await admin.send('DELETE', `${people}/${deleted.id}`, { revision: deleted.revision });
  for (const id of ids) expect((await readMove(admin, id)).state).toBe('paused');
});

test('an account that is disabled already keeps its moves if the caller may not disable it', async () => {
  const person = await create();
  const page = await signedIn(person.login_name, 'operator');
  const id = await begun(page);
  await page.send('DELETE', '/api/session');
  const direct = await controller.as('administrator');
  const [version, body] = [Number(person.revision), { disabled: true }];
  expect((await direct.patch(`/v1/users/${person.id}`, { ...body, version })).status).toBe(200);
  const operator = await signedIn('operator');
  await confirmAs(operator, testPassword);
  const { revision } = person;
  await operator.send('PATCH', `${people}/${person.id}`, { revision, body });
  expect((await readMove(admin, id)).state).toBe('planning');
});

test('a lock-out reaches sessions and moves of an environment that names the same access controller', async () => {
  const person = await create();
  const signedInThere = async (): Promise<Browser> => {
    const page = moves.here.console.browser();
    const credentials = { method: 'password', login_name: person.login_name, password: testPassword };
    const body = { environment: 'second', service: 'access', credentials };
    expect((await page.send('POST', '/api/session', { body })).status).toBe(200);
    return page;
  };
  const former = await signedInThere();
  await connect(former, 'operator', 'boxes');
  const id = await begun(former);
  await former.send('DELETE', '/api/session');
  const page = await signedInThere();
  const listed = await admin.send('GET', `${people}/${person.id}/console-sessions`);
  expect(listed.json['sessions']).toHaveLength(1);
  await admin.send('POST', `${people}/${person.id}/lock-out`);
  expect((await page.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
  expect((await readMove(admin, id)).state).toBe('paused');
});

/** Loses the controller's answers from a request on. @param isReceived whether the controller receives that request */
const losing = async <Result>(
  request: string,
  isReceived: boolean,
  send: () => Promise<Result>,
): Promise<Result> => {
  if (isReceived) proxy.losesFrom = request;
  else
    proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith(request)) return undefined;
      proxy.fault = { kind: 'hang up' };
      proxy.drop();
      return Promise.withResolvers<void>().promise;
    };
  const result = await send();
  Object.assign(proxy, { fault: { kind: 'none' }, losesFrom: undefined, cutNext: undefined });
  delete proxy.onRequest;
  return result;
};
const ends = {
  'a lock-out': 'PATCH /v1/users/',
  'an edit': 'PATCH /v1/users/',
  'a deletion': 'DELETE /v1/users/',
  'a new password': 'POST /v1/accounts/',
} as const;
/** Locks a user out, disables or deletes them, or resets their password. */
const endOf = (
  how: keyof typeof ends,
  { id, revision }: Awaited<ReturnType<typeof create>>,
  by = admin,
): ReturnType<Browser['send']> => {
  if (how === 'a lock-out') return by.send('POST', `${people}/${id}/lock-out`);
  if (how === 'a deletion') return by.send('DELETE', `${people}/${id}`, { revision });
  if (how === 'an edit') return by.send('PATCH', `${people}/${id}`, { revision, body: { disabled: true } });
  return by.send('POST', `${people}/${id}/reset-password`, {
    revision,
    body: { new_password: 'another one' },
  });
};
const isSignedIn = async (page: Browser): Promise<boolean> =>
  (await page.send('GET', '/api/session')).status === 200;

test.each(['a lock-out', 'an edit', 'a deletion'] as const)(
  "%s whose answer is lost ends a user's access at once, and again once it is found out",
  async (how) => {
    const [person, later] = [await create(), await create()];
    const page = await signedIn(person.login_name, 'operator');
    const id = await begun(page);
    expect((await losing(ends[how], true, () => endOf(how, person))).json['code']).toBe('outcome-unknown');
    expect([await isSignedIn(page), (await readMove(admin, id)).state]).toEqual([false, 'paused']);

    const before = await signedIn(later.login_name, 'operator');
    expect((await losing(ends[how], false, () => endOf(how, later))).json['code']).toBe('outcome-unknown');
    expect(await isSignedIn(before)).toBe(false);
    // They can sign in until the change arrives.
    const again = await signedIn(later.login_name, 'operator');
    const moved = await begun(again);
    const direct = await controller.as('administrator');
    const arrived =
      how === 'a deletion'
        ? await direct.delete(`/v1/users/${later.id}`)
        : await direct.patch(`/v1/users/${later.id}`, { version: Number(later.revision), disabled: true });
    expect(arrived.status).toBeLessThan(300);
    const unknown = `/api/environments/test/activity?outcome=unknown&resource_id=${later.id}`;
    const items = (await admin.send('GET', unknown)).json['items'] as { sequence: number }[];
    expect(items).toHaveLength(1);
    const settled = `/api/environments/test/activity/${items[0]?.sequence}/settle`;
    expect((await admin.send('POST', settled)).json['outcome']).toBe('succeeded');
    expect([await isSignedIn(again), (await readMove(admin, moved)).state]).toEqual([false, 'paused']);
  },
);

test.each(['an edit', 'a deletion', 'a new password'] as const)(
  "%s by someone who isn't allowed to ends nobody's access, whatever becomes of the answer",
  async (how) => {
    const person = await create();
    const page = await signedIn(person.login_name, 'operator');
    const other = await signedIn('operator');
    await confirmAs(other, testPassword);
    const answer = await losing(ends[how], false, () => endOf(how, person, other));
    expect(answer.json['code']).toBe('outcome-unknown');
    expect(await isSignedIn(page)).toBe(true);
  },
);

test.each(['a lock-out', 'an edit'] as const)(
  '%s ends the access of sessions that begin or end while it disables the account',
  async (how) => {
    const person = await create();
    /** A session of another account, which is connected with this one. */
    const connected = async (): Promise<Browser> => {
      const page = moves.here.console.browser();
      await signInAs(page, 'operator', testPassword, 'boxes');
      await connect(page, person.login_name, 'access');
      return page;
    };
    const before = await connected();
    const ids = [await begun(before)];
    const [met, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    proxy.onRequest = (bytes) => {
      if (!bytes.toString('latin1').startsWith('PATCH')) return undefined;
      met.resolve();
      return passed.promise;
    };
    const ending = endOf(how, person);
    await met.promise;
    delete proxy.onRequest;
    await before.send('DELETE', '/api/session');
    const page = await connected();
    ids.push(await begun(page));
    passed.resolve();
    expect((await ending).status).toBe(200);
    expect(await isSignedIn(page)).toBe(false);
    for (const id of ids) expect((await readMove(admin, id)).state).toBe('paused');
  },
);

test('a move or delivery that a request begins during the lock-out gets no token', async () => {
  const { here } = moves;
  const person = await create();
  const page = await withToken(person.login_name);
  const image = imageOf(20_000, 1);
  const run = await startRun(page, 'during', undefined, undefined, 'operator');
  const upload = await beginUpload(page, run, image);
  here.proxy.fault = answering(422);
  here.proxy.drop();
  await sendAll(page, upload.path, image);
  expect(await uploadIn(page, run.id, ['failed', 'done'])).toMatchObject({ state: 'failed' });
  here.proxy.fault = { kind: 'none' };

  const held: string[] = [];
  const passed = Promise.withResolvers<void>();
  here.proxy.onRequest = (bytes) => {
    held.push(bytes.toString('latin1', 0, 200));
    return passed.promise;
  };
  const source = { kind: 'boxes', address: moves.source.url, token: '', wanted: ['admin/any'] };
  const sent = [
    page.send('POST', movesApi, { body: source }),
    page.send('POST', `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload/deliver`, { body: {} }),
  ];
  const ofDelivery = (line: string): boolean => line.includes('/provider/');
  await expect.poll(() => [held.some(ofDelivery), held.every(ofDelivery)]).toEqual([true, false]);
  await admin.send('POST', `${people}/${person.id}/lock-out`);
  delete here.proxy.onRequest;
  passed.resolve();
  const [, delivery] = await Promise.all(sent);
  expect(delivery?.json).toMatchObject({ state: 'failed', retry: 'deliver' });
  const { json } = await admin.send('GET', movesApi);
  const all = json['moves'] as { owner: { name: string }; state: string }[];
  const own = all.filter(({ owner }) => owner.name === person.login_name);
  expect(own).toMatchObject([{ state: 'paused' }]);
});

test.skipIf(postgres === undefined)(
  "what a user begins at another console that hasn't noticed the lock-out gets no token",
  async () => {
    const databaseUrl = (await postgres?.database()) ?? '';
    using folder = temporaryFolder();
    const settings = { databaseUrl, keyFile: folder.file('keys.json') };
    const one = await moves.here.another({ ...settings, dataDir: folder.file('one') });
    const two = await moves.here.another({ ...settings, dataDir: folder.file('two') });
    admin = await signedIn('admin', 'admin', one);
    await confirmAs(admin, testPassword);
    const person = await create();
    const page = await withToken(person.login_name, two);
    const image = imageOf(20_000, 1);
    const run = await startRun(page, 'elsewhere', undefined, undefined, 'operator');
    const { path } = await beginUpload(page, run, image);
    await patch(page, path, 0, image.subarray(0, 10_000));
    const id = await begun(page);
    await act(page, id, 'pause');

    await admin.send('POST', `${people}/${person.id}/lock-out`);
    // Tokens and sessions are remembered for a second, and the clock stands still.
    expect(await isSignedIn(page)).toBe(true);
    expect((await act(page, id, 'resume', { token: '' })).json['code']).toBe('invalid-request');
    expect((await patch(page, path, 10_000, image.subarray(10_000))).status).toBe(204);
    const rows = new pg.Client(databaseUrl);
    await rows.connect();
    const found = await rows.query(
      'SELECT state, sealed_token FROM move UNION ALL SELECT state, sealed_token FROM publish_upload',
    );
    await rows.end();
    expect(found.rows).toEqual([
      { state: 'paused', sealed_token: null },
      { state: 'received', sealed_token: null },
    ]);
    await Promise.all([one.close(), two.close()]);
  },
);
