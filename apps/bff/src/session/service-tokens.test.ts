import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import { startConsole } from '#test/console.ts';
import { credentials, minute, startSessionConsole, type SessionConsole } from '#test/session-console.ts';

let at: SessionConsole;
beforeEach(async () => {
  at = await startSessionConsole();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('tokens of services', () => {
  test('are revoked at sign-out, and the cookie is cleared', async () => {
    const page = await at.signedIn();
    expect(at.controller.tokens.size).toBe(1);
    const answer = await page.send('DELETE', '/api/session');
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toMatch(
      /^gatehouse-\d+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    await expect.poll(() => at.controller.tokens.size).toBe(0);
  });

  test('are revoked when the session expires', async () => {
    await at.signedIn();
    at.console.clock.advance(15 * minute);
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(0);
  });

  test('are revoked after the service is back if it was down at sign-out, even after a restart of the console', async () => {
    const page = await at.signedIn();
    at.controller.intercept = (_req, res) => {
      res.destroy();
      return true;
    };
    expect((await page.send('DELETE', '/api/session')).status).toBe(204);
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(1);
    at.controller.intercept = undefined;
    const again = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      dataDir: at.console.dataDir,
      clock: at.console.clock,
    });
    try {
      await again.bff.upkeep();
      expect(at.controller.tokens.size).toBe(1);
      at.console.clock.advance(5 * minute);
      await again.bff.upkeep();
      expect(at.controller.tokens.size).toBe(0);
    } finally {
      await again.close();
    }
  });

  test('are encrypted at rest: no file of the data folder contains one, the password or the cookie', async () => {
    const page = await at.signedIn();
    await at.console.bff.upkeep();
    const files = readdirSync(at.console.dataDir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
    expect(files.some((text) => text.includes('at_0000000001'))).toBe(true);
    for (const text of files) {
      expect(text).not.toContain('s1canarytoken');
      expect(text).not.toContain(boundaryPassword);
      expect(text).not.toContain(page.cookie?.split('=')[1]);
    }
  });

  test("can't be decrypted in each other's rows", async () => {
    const [one, two] = [await at.signedIn(), await at.signedIn('other')];
    const db = new DatabaseSync(join(at.console.dataDir, 'console.db'));
    const rows = db.prepare('SELECT session_id, sealed_token FROM connection').all();
    const swap = db.prepare('UPDATE connection SET sealed_token = ? WHERE session_id = ?');
    swap.run(rows[1]?.['sealed_token'] ?? null, rows[0]?.['session_id'] ?? null);
    swap.run(rows[0]?.['sealed_token'] ?? null, rows[1]?.['session_id'] ?? null);
    db.close();
    const sent = at.controller.seen.length;
    for (const page of [one, two]) {
      expect((await page.send('GET', '/api/environments/test/access/scopes')).json).toMatchObject({
        status: 424,
        code: 'not-connected',
      });
    }
    expect(at.controller.seen.length).toBe(sent);
  });

  test('survive a rotation of keys: another replica encrypts them again, nobody is signed out, the old key can be removed', async () => {
    const page = await at.signedIn();
    const other = await at.signedIn('other');
    const keyFile = join(at.console.dataDir, 'console-keys.json');
    const before = keyRingFromFile(keyFile).activeKeyId;
    keyRingFromFile(keyFile).rotate();
    const over = new AbortController();
    const load = async () => {
      const statuses = new Set<number>();
      do statuses.add((await other.send('GET', '/api/environments/test/access/scopes')).status);
      while (!over.signal.aborted);
      return [...statuses];
    };
    const underLoad = load();
    const again = await startConsole({
      access: { kind: 'url', url: new URL(at.controller.url) },
      dataDir: at.console.dataDir,
      clock: at.console.clock,
    });
    try {
      at.console.clock.advance(1_000);
      const moved = again.browser();
      moved.cookie = page.cookie?.replace(new URL(at.console.origin).port, new URL(again.origin).port);
      keyRingFromFile(keyFile).retire(before);
      over.abort();
      expect(await underLoad).toEqual([200]);
      for (const one of [page, other, moved]) {
        expect((await one.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
      }
    } finally {
      over.abort();
      await again.close();
    }
    await page.send('DELETE', '/api/session');
    await expect.poll(() => at.controller.tokens.size).toBe(1);
  });

  test("are sent only to the address they were issued at, not to the service's new address", async () => {
    const page = await at.signedIn();
    const token = [...at.controller.tokens].at(-1) ?? '';
    const elsewhere = await boundaryController();
    elsewhere.tokens.add(token);
    const again = (url: string) =>
      startConsole({
        access: { kind: 'url', url: new URL(url) },
        dataDir: at.console.dataDir,
        clock: at.console.clock,
      });
    const moved = await again(elsewhere.url);
    try {
      const other = moved.browser();
      other.cookie = page.cookie?.replace(new URL(at.console.origin).port, new URL(moved.origin).port);
      const asked = await other.send('GET', '/api/environments/test/access/scopes');
      expect(asked.json).toMatchObject({ code: 'not-connected', service: 'access' });
      expect((await other.send('GET', '/api/connections')).json['connections']).toMatchObject([
        {
          service: 'access',
          state: 'expired',
          detail: expect.stringContaining('can no longer be used') as string,
        },
      ]);
      // The new address doesn't get the token to revoke either.
      await other.send('DELETE', '/api/session');
      await moved.bff.upkeep();
      expect(elsewhere.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    } finally {
      await moved.close();
      await elsewhere.close();
    }
    expect(at.controller.tokens.has(token)).toBe(true);
    const back = await again(at.controller.url);
    try {
      at.console.clock.advance(10 * minute);
      await back.bff.upkeep();
      expect(at.controller.tokens.has(token)).toBe(false);
    } finally {
      await back.close();
    }
  });

  test('disconnect only their service when it no longer accepts them', async () => {
    const page = await at.signedIn();
    at.controller.tokens.clear();
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
    const page = await at.signedIn();
    const {
      environment: _environment,
      service: _service,
      ...body
    } = credentials(boundaryPassword, 'somebody');
    const answer = await page.send('POST', '/api/environments/test/connections/access', { body });
    expect(answer.json).toMatchObject({ status: 401, code: 'sign-in-failed' });
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(1);
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });

  test('are one per service, even if two tabs sign in again at once', async () => {
    const page = await at.signedIn();
    const { environment: _environment, service: _service, ...body } = credentials(boundaryPassword);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        page.send('POST', '/api/environments/test/connections/access', { body }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(1);
    expect((await page.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
  });

  test('are revoked even if they arrive while the session ends', async () => {
    const page = await at.signedIn();
    const { environment: _environment, service: _service, ...body } = credentials(boundaryPassword);
    at.controller.intercept = ({ path }) => {
      if (!path.endsWith(':authenticate')) return false;
      const db = new DatabaseSync(join(at.console.dataDir, 'console.db'));
      db.exec("UPDATE session SET ended = 'ended', ended_at = 1");
      db.close();
      return false;
    };
    await page.send('POST', '/api/environments/test/connections/access', { body });
    at.controller.intercept = undefined;
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(0);
  });

  test('are dropped and revoked by disconnecting', async () => {
    const page = await at.signedIn();
    expect((await page.send('DELETE', '/api/environments/test/connections/access')).json).toMatchObject({
      state: 'not-connected',
      account: null,
    });
    expect((await page.send('GET', '/api/environments/test/access/scopes')).json).toMatchObject({
      status: 424,
    });
    await at.console.bff.upkeep();
    expect(at.controller.tokens.size).toBe(0);
  });

  test('may be entered by the user', async () => {
    at.controller.tokens.add('at_brought000_s1canarybrought');
    const page = at.console.browser();
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
