import { get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { expect, test } from 'vitest';
import { startController, testPassword } from './testing/controller.ts';

const target = { scope_id: 'p_1234567890', type: 'ssh' };

test('while another process locks the database, reads succeed and writes wait', async () => {
  await using controller = await startController();
  const client = await controller.as('operator');
  const other = new DatabaseSync(join(controller.dataDir, 'access-controller.db'));
  other.exec('BEGIN IMMEDIATE');
  let written = false;
  const write = client.post('/v1/targets', { ...target, name: 'waiting' }).then((answer) => {
    written = true;
    return answer;
  });
  for (let n = 0; n < 20; n++) {
    const read = await client.get('/v1/targets?scope_id=p_1234567890');
    expect([read.status, read.body['est_item_count'], written]).toEqual([200, 1, false]);
  }
  other.exec('COMMIT');
  other.close();
  expect((await write).status).toBe(200);
});

test('logs nothing that requests contain: no names, passwords, filters or IDs', async () => {
  const lines: string[] = [];
  const log = createLog({
    service: 'access',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  await using controller = await startController({ log });
  const client = await controller.as('operator');
  await controller.anonymous.post('/v1/auth-methods/ampw_1234567890:authenticate', {
    command: 'login',
    attributes: { login_name: 'canary-person', password: 'canary-password' },
  });
  await client.post('/v1/targets', { ...target, name: 'canary-name', description: 'canary-description' });
  await client.get(
    `/v1/targets?scope_id=p_1234567890&filter=${encodeURIComponent('"/item/name" == canary')}`,
  );
  await client.get('/v1/targets/canary');
  await client.get('/canary');
  const requests = (): string[] => lines.filter((line) => line.includes('"event":"request"'));
  while (requests().length < 6) await nextTurn();
  const text = lines.join('');
  for (const secret of ['canary', testPassword, client.token?.split('_')[2] ?? ''])
    expect(text).not.toContain(secret);
  expect(text).toContain('"route":"/v1/auth-methods/:id:authenticate"');
});

test("doesn't apply rate limits per address on a Unix socket, whose client limits its own callers", async () => {
  await using controller = await startController({ rateLimit: { requests: { burst: 1, perSecond: 0.001 } } });
  using folder = temporaryFolder();
  const socketPath = folder.file('s');
  const server = await listen(controller.service, { socketPath });
  const path = '/v1/auth-methods?scope_id=global';
  for (let n = 0; n < 5; n++) {
    const status = await new Promise((resolve, reject) => {
      get({ socketPath, path }, (res) => resolve(res.resume().statusCode)).on('error', reject);
    });
    expect(status).toBe(200);
  }
  await server.drain(0);
});

test('returns the request ID that the client sent', async () => {
  await using controller = await startController();
  const answer = await fetch(`${controller.url}/v1/auth-methods?scope_id=global`, {
    headers: { 'x-request-id': 'request-12345678' },
  });
  expect(answer.headers.get('x-request-id')).toBe('request-12345678');
});

test('answers a health probe in its turn while users wait for theirs', async () => {
  await using controller = await startController();
  expect(await turnsBefore(() => controller.anonymous.get('/health'), true)).toBe(20);
});
