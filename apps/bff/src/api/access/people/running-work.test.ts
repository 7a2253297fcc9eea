import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { confirmAs, signInAs } from '#test/console.ts';
import { act, moveIn, movesApi, readMove, startMoves, type MovesConsole } from '#test/moves.ts';
import { beginUpload, imageOf, sendAll, startRun, uploadIn } from '#test/publish.ts';

const people = '/api/environments/test/access/people';
let controller: Awaited<ReturnType<typeof startController>>;
/** A console with an access controller, and a registry that has its own accounts. */
let moves: MovesConsole;
let admin: Browser;
let count = 0;

beforeAll(async () => {
  controller = await startController();
  moves = await startMoves({ access: { kind: 'url', url: new URL(controller.url) } });
  admin = await signedIn('admin');
  await confirmAs(admin, testPassword);
});
afterAll(async () => {
  await moves[Symbol.asyncDispose]();
  await controller[Symbol.asyncDispose]();
});

const connect = async (page: Browser, loginName: string, service: string): Promise<void> => {
  const { status, text } = await page.send('POST', `/api/environments/test/connections/${service}`, {
    body: { credentials: { method: 'password', login_name: loginName, password: testPassword } },
  });
  expect(status, text).toBe(200);
};
/** A browser signed in at the access controller, and connected to the registry with an account there. */
async function signedIn(loginName: string, registryName = loginName): Promise<Browser> {
  const page = moves.here.console.browser();
  await signInAs(page, loginName, testPassword);
  await connect(page, registryName, 'boxes');
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
const silence = (): void => {
  moves.source.proxy.fault = { kind: 'silence' };
  moves.source.proxy.drop();
};
const pathsOf = async (action: string, id: string): Promise<unknown> => {
  const found = await admin.send('GET', `/api/environments/test/activity?action=${action}&resource_id=${id}`);
  return (found.json['items'] as { paths: string[] }[]).map(({ paths }) => paths);
};

test('a lock-out pauses moves and stops deliveries at a registry with other accounts', async () => {
  const { here } = moves;
  silence();
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
  silence();
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
