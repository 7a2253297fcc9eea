import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

const minute = 60_000;

let controller: BoundaryController;
let console: TestConsole;

beforeEach(async () => {
  controller = await boundaryController();
  console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
});
afterEach(async () => {
  await console.close();
  await controller.close();
});

async function signedIn(login = 'admin'): Promise<Browser> {
  const page = console.browser();
  await signInAs(page, login, boundaryPassword);
  return page;
}

const credentials = (password: string, login_name = 'admin') => ({
  environment: 'test',
  service: 'access',
  credentials: { method: 'password', login_name, password },
});

describe('the cookie', () => {
  test('on http loopback has the port in its name, and nothing but the needed attributes', async () => {
    const page = console.browser();
    const answer = await page.send('POST', '/api/session', { body: credentials(boundaryPassword) });
    const port = new URL(console.origin).port;
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^gatehouse-${port}=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
  });

  test('over https is __Host-, Secure, and comes with HSTS', async () => {
    const secure = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      console: { publicUrl: new URL('https://gatehouse.example'), trustedProxies: ['127.0.0.1'] },
    });
    try {
      const page = secure.browser();
      const answer = await page.send('POST', '/api/session', {
        body: credentials(boundaryPassword),
        headers: {
          host: 'gatehouse.example',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': '203.0.113.9',
        },
      });
      expect(answer.headers['set-cookie']).toMatch(
        /^__Host-gatehouse=[A-Za-z0-9_-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      );
      expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
      const plain = await page.send('GET', '/api/session', {
        headers: { host: 'gatehouse.example', 'x-forwarded-proto': 'http' },
      });
      expect(plain.status).toBe(403);
    } finally {
      await secure.close();
    }
  });

  test('an id that was fixed beforehand never becomes signed in', async () => {
    const page = console.browser();
    const fixed = `gatehouse-${new URL(console.origin).port}=${'A'.repeat(43)}`;
    page.cookie = fixed;
    await signInAs(page, 'admin', boundaryPassword);
    expect(page.cookie).not.toBe(fixed);
    const attacker = console.browser();
    attacker.cookie = fixed;
    expect((await attacker.send('GET', '/api/session')).json).toMatchObject({
      code: 'unauthenticated',
      signedOut: 'none',
    });
  });

  test('signing in again gives a new id and ends the old session', async () => {
    const page = await signedIn();
    const before = page.cookie;
    await signInAs(page, 'admin', boundaryPassword);
    expect(page.cookie).not.toBe(before);
    const old = console.browser();
    old.cookie = before;
    expect((await old.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
  });

  test('two cookies of the name are as good as none', async () => {
    const page = await signedIn();
    page.cookie = `${page.cookie}; ${page.cookie?.split('=')[0]}=${'B'.repeat(43)}`;
    expect((await page.send('GET', '/api/session')).status).toBe(401);
  });
});

describe('the session', () => {
  test('tells who, where and until when', async () => {
    const page = await signedIn();
    const { json } = await page.send('GET', '/api/session');
    expect(json).toMatchObject({
      person: { id: 'test/access/u_admin', login_name: 'admin' },
      environment: 'test',
      method: 'password',
      signed_in_at: '2026-01-01T00:00:00.000Z',
      idle_expires_at: '2026-01-01T00:15:00.000Z',
      expires_at: '2026-01-01T08:00:00.000Z',
      confirmed_until: null,
    });
    expect(JSON.stringify(json)).not.toContain(page.cookie?.split('=')[1]);
  });

  test('is looked for without failing: a page that is not signed in is told why', async () => {
    const page = await signedIn();
    const found = await page.send('GET', '/api/session/current');
    expect(found.json).toEqual({
      session: (await page.send('GET', '/api/session')).json,
      signed_out: null,
    });
    console.clock.advance(15 * minute);
    const missed = await page.send('GET', '/api/session/current');
    expect([missed.status, missed.json]).toEqual([200, { session: null, signed_out: 'idle' }]);
  });

  test('ends after 15 minutes without activity, and not a moment earlier', async () => {
    const page = await signedIn();
    console.clock.advance(15 * minute - 1);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    console.clock.advance(15 * minute - 1);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    console.clock.advance(15 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'idle' });
    expect((await page.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'idle' });
  });

  test('polling is not activity', async () => {
    const page = await signedIn();
    for (let polls = 0; polls < 14; polls++) {
      console.clock.advance(minute);
      expect((await page.send('GET', '/api/session', { headers: { 'x-gatehouse-poll': '1' } })).status).toBe(
        200,
      );
    }
    console.clock.advance(minute);
    expect(
      (await page.send('GET', '/api/session', { headers: { 'x-gatehouse-poll': '1' } })).json,
    ).toMatchObject({ signedOut: 'idle' });
  });

  test('ends after 8 hours whatever happens', async () => {
    const page = await signedIn();
    for (let passed = 0; passed < 8 * 60 - 10; passed += 10) {
      console.clock.advance(10 * minute);
      expect((await page.send('GET', '/api/session')).status).toBe(200);
    }
    console.clock.advance(10 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      status: 401,
      signedOut: 'expired',
    });
  });

  test('lasts no longer than the token', async () => {
    controller.tokenEnd = '2026-01-01T00:10:00Z';
    const page = await signedIn();
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      expires_at: '2026-01-01T00:10:00.000Z',
    });
    console.clock.advance(10 * minute);
    expect((await page.send('GET', '/api/session')).json).toMatchObject({
      status: 401,
      signedOut: 'expired',
    });
  });

  test('a clock that is set back ends nothing', async () => {
    const page = await signedIn();
    console.clock.setWall(console.clock.now() - 10 * minute);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
  });

  test('survives a restart', async () => {
    const page = await signedIn();
    const again = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      dataDir: console.dataDir,
      clock: console.clock,
    });
    try {
      const other = again.browser();
      other.cookie = page.cookie?.replace(new URL(console.origin).port, new URL(again.origin).port);
      expect((await other.send('GET', '/api/session')).status).toBe(200);
      expect((await other.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
      await page.send('DELETE', '/api/session');
      console.clock.advance(1_000);
      expect((await other.send('GET', '/api/session')).json).toMatchObject({
        status: 401,
        signedOut: 'ended',
      });
    } finally {
      await again.close();
    }
  });

  test('is listed, and ended from another browser', async () => {
    const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()];
    const stranger = await signedIn('stranger');
    const { json } = await one.send('GET', '/api/sessions');
    const listed = json['sessions'] as { id: string; current: boolean; address: string }[];
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ current }) => current)).toHaveLength(1);
    expect(listed[0]?.address).toBe('127.0.0.1');
    const twoId = String((await two.send('GET', '/api/session')).json['id']);
    expect((await stranger.send('DELETE', `/api/sessions/${twoId}`)).status).toBe(404);
    expect((await one.send('DELETE', `/api/sessions/${twoId}`)).status).toBe(204);
    expect((await two.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
    expect((await one.send('POST', '/api/sessions/end-others')).json).toEqual({ ended: 1 });
    expect((await three.send('GET', '/api/session')).status).toBe(401);
    expect((await one.send('GET', '/api/session')).status).toBe(200);
    expect((await stranger.send('GET', '/api/session')).status).toBe(200);
  });
});

describe('tokens of services', () => {
  test('are revoked at sign-out, and the cookie is cleared', async () => {
    const page = await signedIn();
    expect(controller.tokens.size).toBe(1);
    const answer = await page.send('DELETE', '/api/session');
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toMatch(
      /^gatehouse-\d+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    await expect.poll(() => controller.tokens.size).toBe(0);
  });

  test('are revoked when the session ends by itself', async () => {
    await signedIn();
    console.clock.advance(15 * minute);
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(0);
  });

  test('are revoked after the service is back, when it was down at sign-out, over a restart of the console', async () => {
    const page = await signedIn();
    controller.intercept = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await page.send('DELETE', '/api/session')).status).toBe(204);
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(1);
    controller.intercept = undefined;
    const again = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      dataDir: console.dataDir,
      clock: console.clock,
    });
    try {
      await again.bff.upkeep();
      expect(controller.tokens.size).toBe(1);
      console.clock.advance(5 * minute);
      await again.bff.upkeep();
      expect(controller.tokens.size).toBe(0);
    } finally {
      await again.close();
    }
  });

  test('are encrypted at rest: no file of the data folder holds one, nor the password, nor the cookie', async () => {
    const page = await signedIn();
    await console.bff.upkeep();
    const files = readdirSync(console.dataDir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    expect(files.some((text) => text.includes('at_0000000001'))).toBe(true);
    for (const text of files) {
      expect(text).not.toContain('s1canarytoken');
      expect(text).not.toContain(boundaryPassword);
      expect(text).not.toContain(page.cookie?.split('=')[1]);
    }
  });

  test('of swapped rows do not decrypt', async () => {
    const [one, two] = [await signedIn(), await signedIn('other')];
    const db = new DatabaseSync(join(console.dataDir, 'console.db'));
    const rows = db.prepare('SELECT session_id, sealed_token FROM connection').all();
    const swap = db.prepare('UPDATE connection SET sealed_token = ? WHERE session_id = ?');
    swap.run(rows[1]?.['sealed_token'] ?? null, rows[0]?.['session_id'] ?? null);
    swap.run(rows[0]?.['sealed_token'] ?? null, rows[1]?.['session_id'] ?? null);
    db.close();
    const sent = controller.seen.length;
    for (const page of [one, two]) {
      expect((await page.send('GET', '/api/environments/test/access/scopes')).json).toMatchObject({
        status: 424,
        code: 'not-connected',
      });
    }
    expect(controller.seen.length).toBe(sent);
  });

  test('outlive a rotation of keys: another replica seals them anew, nobody is signed out, the old key can go', async () => {
    const page = await signedIn();
    const other = await signedIn('other');
    const keyFile = join(console.dataDir, 'console-keys.json');
    const before = keyRingFromFile(keyFile).activeKeyId;
    keyRingFromFile(keyFile).rotate();
    const again = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      dataDir: console.dataDir,
      clock: console.clock,
    });
    try {
      console.clock.advance(1_000);
      const moved = again.browser();
      moved.cookie = page.cookie?.replace(new URL(console.origin).port, new URL(again.origin).port);
      keyRingFromFile(keyFile).retire(before);
      for (const one of [page, other, moved]) {
        expect((await one.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
      }
    } finally {
      await again.close();
    }
    await page.send('DELETE', '/api/session');
    await expect.poll(() => controller.tokens.size).toBe(1);
  });

  test('stay with the address they were for: a service that is configured elsewhere hears none of them', async () => {
    const page = await signedIn();
    const token = [...controller.tokens].at(-1) ?? '';
    const elsewhere = await boundaryController();
    elsewhere.tokens.add(token);
    const again = (url: string) =>
      startConsole({
        access: { kind: 'url', url: new URL(url) },
        dataDir: console.dataDir,
        clock: console.clock,
      });
    const moved = await again(elsewhere.url);
    try {
      const other = moved.browser();
      other.cookie = page.cookie?.replace(new URL(console.origin).port, new URL(moved.origin).port);
      const asked = await other.send('GET', '/api/environments/test/access/scopes');
      expect(asked.json).toMatchObject({ code: 'not-connected', service: 'access' });
      expect((await other.send('GET', '/api/connections')).json['connections']).toMatchObject([
        { service: 'access', state: 'expired', detail: expect.stringContaining('another address') as string },
      ]);
      // Nor does the one to whom it would say goodbye.
      await other.send('DELETE', '/api/session');
      await moved.bff.upkeep();
      expect(elsewhere.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    } finally {
      await moved.close();
      await elsewhere.close();
    }
    expect(controller.tokens.has(token)).toBe(true);
    const back = await again(controller.url);
    try {
      console.clock.advance(10 * minute);
      await back.bff.upkeep();
      expect(controller.tokens.has(token)).toBe(false);
    } finally {
      await back.close();
    }
  });

  test('that the service does not accept any more disconnect that service alone', async () => {
    const page = await signedIn();
    controller.tokens.clear();
    const refused = await page.send('GET', '/api/environments/test/access/scopes');
    expect(refused.json).toMatchObject({
      status: 424,
      code: 'not-connected',
      service: 'access',
      environment: 'test',
    });
    expect((await page.send('GET', '/api/session')).status).toBe(200);
    const { json } = await page.send('GET', '/api/connections');
    expect(json['connections']).toMatchObject([{ state: 'expired', account: { id: 'u_admin' } }]);
    const { environment: _environment, service: _service, ...body } = credentials(boundaryPassword);
    expect(
      (await page.send('POST', '/api/environments/test/connections/access', { body })).json,
    ).toMatchObject({ state: 'connected' });
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });

  test('of another account never enter a session', async () => {
    const page = await signedIn();
    const {
      environment: _environment,
      service: _service,
      ...body
    } = credentials(boundaryPassword, 'somebody');
    const answer = await page.send('POST', '/api/environments/test/connections/access', { body });
    expect(answer.json).toMatchObject({ status: 401, code: 'sign-in-failed' });
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(1);
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });

  test('are one for each service, when two tabs sign in again at once', async () => {
    const page = await signedIn();
    const { environment: _environment, service: _service, ...body } = credentials(boundaryPassword);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        page.send('POST', '/api/environments/test/connections/access', { body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(1);
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });

  test('are revoked even when they arrive while the session ends', async () => {
    const page = await signedIn();
    const { environment: _environment, service: _service, ...body } = credentials(boundaryPassword);
    controller.intercept = ({ path }) => {
      if (!path.endsWith(':authenticate')) return false;
      const db = new DatabaseSync(join(console.dataDir, 'console.db'));
      db.exec("UPDATE session SET ended = 'ended', ended_at = 1");
      db.close();
      return false;
    };
    await page.send('POST', '/api/environments/test/connections/access', { body });
    controller.intercept = undefined;
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(0);
  });

  test('are dropped and revoked by disconnecting', async () => {
    const page = await signedIn();
    expect((await page.send('DELETE', '/api/environments/test/connections/access')).json).toMatchObject({
      state: 'not-connected',
      account: null,
    });
    expect((await page.send('GET', '/api/environments/test/access/scopes')).json).toMatchObject({
      status: 424,
    });
    await console.bff.upkeep();
    expect(controller.tokens.size).toBe(0);
  });

  test('may be brought by the person', async () => {
    controller.tokens.add('at_brought000_s1canarybrought');
    const page = console.browser();
    const body = (token: string) => ({
      environment: 'test',
      service: 'access',
      credentials: { method: 'token', token },
    });
    for (const wrong of [
      'at_brought000_s1other',
      'hvs.other',
      'at_brought000',
      '../at_brought000_s1canarybrought',
    ]) {
      expect((await page.send('POST', '/api/session', { body: body(wrong) })).json).toMatchObject({
        status: 401,
        code: 'sign-in-failed',
      });
    }
    const answer = await page.send('POST', '/api/session', { body: body('at_brought000_s1canarybrought') });
    expect(answer.json).toMatchObject({ method: 'token', person: { id: 'test/access/u_admin' } });
    expect(answer.text).not.toContain('canary');
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });
});

describe('confirmation in production', () => {
  test('is asked for, lasts some minutes, and is refused for a wrong password', async () => {
    const production = await startConsole({
      access: { kind: 'url', url: new URL(controller.url) },
      kind: 'production',
    });
    try {
      const page = production.browser();
      await signInAs(page, 'admin', boundaryPassword);
      const remove = () =>
        page.send('DELETE', '/api/environments/test/access/targets/ttcp_none', { revision: '1' });
      expect((await remove()).json).toMatchObject({ status: 403, code: 'confirmation-required' });
      expect(
        (await page.send('POST', '/api/session/confirm', { body: { secret: 'wrong' } })).json,
      ).toMatchObject({ code: 'sign-in-failed' });
      expect((await remove()).json).toMatchObject({ code: 'confirmation-required' });
      const confirmed = await page.send('POST', '/api/session/confirm', {
        body: { secret: boundaryPassword },
      });
      expect(confirmed.json).toMatchObject({ confirmed_until: '2026-01-01T00:05:00.000Z' });
      expect((await remove()).json).toMatchObject({ status: 404 });
      await production.bff.upkeep();
      expect(controller.tokens.size).toBe(1);
      production.clock.advance(5 * minute);
      expect((await remove()).json).toMatchObject({ code: 'confirmation-required' });
    } finally {
      await production.close();
    }
  });
});

describe('preferences', () => {
  test('belong to the person, in every browser', async () => {
    const [one, two, other] = [await signedIn(), await signedIn(), await signedIn('other')];
    expect((await one.send('PUT', '/api/preferences/theme', { body: { value: 'dark' } })).status).toBe(204);
    await one.send('PUT', '/api/preferences/grid.targets', { body: { value: { columns: ['name'] } } });
    await one.send('PUT', '/api/preferences/theme', { body: { value: 'light' } });
    expect((await two.send('GET', '/api/preferences')).json).toEqual({
      preferences: { theme: 'light', 'grid.targets': { columns: ['name'] } },
    });
    expect((await other.send('GET', '/api/preferences')).json).toEqual({ preferences: {} });
  });

  test('have a size', async () => {
    const page = await signedIn();
    expect(
      (await page.send('PUT', '/api/preferences/x', { body: { value: 'x'.repeat(16 * 1024 - 2) } })).status,
    ).toBe(204);
    expect(
      (await page.send('PUT', '/api/preferences/x', { body: { value: 'x'.repeat(16 * 1024 - 1) } })).json,
    ).toMatchObject({ status: 413 });
  });
});
