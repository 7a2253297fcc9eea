import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  boundaryController,
  boundaryPassword,
  boundaryTarget,
  type BoundaryController,
} from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs } from '#test/console.ts';
import { startSecrets, type SecretsConsole } from '#test/secrets.ts';

const id = 'ttcp_0000000001';
const activityApi = '/api/environments/test/activity';
const authorizePath = `/api/environments/test/access/targets/${id}/authorize-session`;
const connectionPath = '/api/environments/test/connections/access';

let controller: BoundaryController;
let started: SecretsConsole;
/** The sessions that the controller lists, if it lists any. */
let listed: { user_id: string; created_time: string }[];
beforeEach(async () => {
  listed = [];
  controller = await boundaryController();
  controller.targets.set(id, boundaryTarget(id, { name: 'db' }));
  controller.intercept = ({ path, method }, res) => {
    if (method === 'POST' && path.includes(':authorize-session')) {
      res.destroy();
      return true;
    }
    if (!path.startsWith('/v1/sessions?')) return false;
    const filter = new URL(path, 'http://x').searchParams.get('filter') ?? '';
    const items = listed
      .filter(({ user_id }) => filter.includes(user_id))
      .map((session, n) => ({
        id: `s_${n}`,
        version: 1,
        scope_id: 'p_1234567890',
        target_id: id,
        ...session,
      }));
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ items, response_type: 'complete' }));
    return true;
  };
  started = await startSecrets({ access: { kind: 'url', url: new URL(controller.url) } });
});
afterEach(async () => {
  await started[Symbol.asyncDispose]();
  await controller.close();
});

/** Authorizes a session with a lost answer. @returns the entry's sequence */
async function lose(page: Browser): Promise<number> {
  const answer = await page.send('POST', authorizePath, { body: {} });
  expect(answer.json, answer.text).toMatchObject({ code: 'outcome-unknown' });
  const { json } = await page.send('GET', `${activityApi}?outcome=unknown`);
  return (json['items'] as { sequence: number }[])[0]?.sequence ?? 0;
}
const settled = async (page: Browser, sequence: number): Promise<unknown> =>
  (await page.send('POST', `${activityApi}/${sequence}/settle`)).json['outcome'];
/** A listed session of a user. @param ageMs how long ago it was created by the controller's clock */
const sessionOf = (user_id: string, ageMs = 0) => ({
  user_id,
  created_time: new Date(started.console.clock.now() - ageMs).toISOString(),
});
async function connect(page: Browser, login_name: string): Promise<void> {
  const credentials = { method: 'password', login_name, password: boundaryPassword };
  const answer = await page.send('POST', connectionPath, { body: { credentials } });
  expect(answer.status, answer.text).toBe(200);
}

test('finds an authorized session at a controller whose clock is behind', async () => {
  const page = started.console.browser();
  await signInAs(page, 'admin', boundaryPassword);
  const first = await lose(page);
  listed = [sessionOf('u_admin', 61_000), sessionOf('u_other')];
  expect(await settled(page, first)).toBe('failed');
  started.console.clock.advance(10 * 60_000);
  const second = await lose(page);
  listed = [sessionOf('u_admin', 5_000)];
  expect(await settled(page, second)).toBe('succeeded');
});

test("doesn't take a session of a second attempt for that of the first", async () => {
  const page = started.console.browser();
  await signInAs(page, 'admin', boundaryPassword);
  const first = await lose(page);
  started.console.clock.advance(10_000);
  await lose(page);
  listed = [sessionOf('u_admin')];
  expect(await settled(page, first)).toBe('unknown');
});

test("doesn't miss a session that the controller may have deleted since", async () => {
  const page = started.console.browser();
  await signInAs(page, 'admin', boundaryPassword);
  const first = await lose(page);
  started.console.clock.advance(2 * 3_600_000);
  await signInAs(page, 'admin', boundaryPassword);
  expect(await settled(page, first)).toBe('unknown');
});

test('looks for sessions of the account connected at the time, not of the signed-in one', async () => {
  const page = await started.signedIn();
  await connect(page, 'ann');
  const first = await lose(page);
  listed = [sessionOf('u_ann')];
  expect(await settled(page, first)).toBe('succeeded');

  started.console.clock.advance(10 * 60_000);
  const second = await lose(page);
  started.console.clock.advance(1_000);
  await connect(page, 'bob');
  listed = [sessionOf('u_ann')];
  expect(await settled(page, second), 'the account is no longer known').toBe('unknown');
});
