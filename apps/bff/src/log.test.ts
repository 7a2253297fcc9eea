import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createLog } from '@gatehouse/service-kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

let controller: BoundaryController;
let console: TestConsole;
const lines: string[] = [];

beforeAll(async () => {
  controller = await boundaryController();
  const log = createLog({
    service: 'console',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });
  console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) }, log });
});
afterAll(async () => {
  await console.close();
  await controller.close();
});

test('logs no token, password, cookie, query, body or requested path', async () => {
  const page = console.browser();
  await page.send('POST', '/api/session', {
    body: {
      environment: 'test',
      service: 'access',
      credentials: { method: 'password', login_name: 'admin', password: 'wrong-canary' },
    },
  });
  await signInAs(page, 'admin', boundaryPassword);
  const cookie = page.cookie?.split('=')[1] ?? 'no cookie';
  await page.send('GET', '/api/environments/test/access/targets?scope_id=p_canaryquery');
  await page.send('GET', '/api/environments/test/access/targets/ttcp_canarypath');
  await page.send('POST', '/api/environments/test/access/targets', { body: '{"name":"canary-body' });
  await page.send('GET', '/canary-page');
  controller.intercept = (_req, res) => {
    res
      .writeHead(500, { 'content-type': 'application/json' })
      .end('{"kind":"canary-upstream","message":"canary-upstream"}');
    return true;
  };
  await page.send('GET', '/api/environments/test/access/targets?scope_id=p_canaryquery');
  await page.send('DELETE', '/api/session');
  await console.bff.upkeep();
  expect(lines.length).toBeGreaterThan(8);
  expect(lines.some((line) => line.includes('/api/environments/:environment/access/targets/:id'))).toBe(true);
  expect(lines.some((line) => line.includes('sign-in-failed') && line.includes('127.0.0.1'))).toBe(true);
  expect(
    lines.some((line) => line.includes('"code":"bad-answer"') && line.includes('"upstream":"access"')),
  ).toBe(true);
  for (const line of lines) {
    expect(line).not.toMatch(/canary/);
    expect(line).not.toContain(boundaryPassword);
    expect(line).not.toContain(cookie);
  }
});

test('logs a refusal in one line', async () => {
  lines.length = 0;
  await console.browser().send('GET', '/api/session', { headers: { host: 'evil.example' } });
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ event: 'refused', status: 421, code: 'host-refused', address: '127.0.0.1' }),
  ]);
});

test("doesn't log a leaving browser as a service's failure", async () => {
  const page = console.browser();
  controller.intercept = undefined;
  await signInAs(page, 'admin', boundaryPassword);
  const [asked, dropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  controller.intercept = (_req, res) => {
    res.once('close', dropped.resolve);
    asked.resolve();
    return true;
  };
  lines.length = 0;
  const leaving = new AbortController();
  const left = fetch(`${console.origin}/api/environments/test/access/targets?scope_id=p_1`, {
    headers: { cookie: page.cookie ?? '', 'x-gatehouse': 'console', 'sec-fetch-site': 'same-origin' },
    signal: leaving.signal,
  });
  await asked.promise;
  leaving.abort();
  await expect(left).rejects.toThrow();
  await dropped.promise;
  controller.intercept = undefined;
  expect((await page.send('GET', '/api/environments/test/access/targets?scope_id=p_1')).status).toBe(200);
  expect(lines.filter((line) => line.includes('"level":40'))).toEqual([]);
});

test('logs a failed step of the upkeep, and runs the other steps', async () => {
  const page = console.browser();
  controller.intercept = undefined;
  controller.tokens.clear();
  await signInAs(page, 'admin', boundaryPassword);
  expect(controller.tokens.size).toBe(1);
  controller.intercept = ({ method }, res) => {
    if (method !== 'DELETE') return false;
    res.writeHead(503).end();
    return true;
  };
  await page.send('DELETE', '/api/session');
  controller.intercept = undefined;
  console.clock.advance(3_600_000);
  using database = new DatabaseSync(join(console.dataDir, 'console.db'));
  database.exec('DROP TABLE sign_in_attempt');
  lines.length = 0;
  await console.bff.upkeep();
  expect(lines.filter((line) => line.includes('"event":"upkeep"'))).toHaveLength(1);
  expect(controller.tokens.size).toBe(0);
});

test('closing waits for the upkeep in progress, which finds the database open', async () => {
  const told: string[] = [];
  const destination = { write: (line: string) => void told.push(line) };
  const own = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    log: createLog({ service: 'console', level: 'debug', destination }),
  });
  const upkeep = own.bff.upkeep();
  await own.close();
  await upkeep;
  expect(told.filter((line) => line.includes('"event":"upkeep"'))).toEqual([]);
});
