import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp, errorHandler, jsonBody, sendJson } from './http.ts';
import { createLog, requestId, requestLog } from './log.ts';
import { listen } from './service.ts';
import type { Listening } from './service.ts';

const lines: string[] = [];
const log = createLog({
  service: 'test',
  level: 'debug',
  destination: { write: (line) => void lines.push(line) },
});
let server: Listening;

beforeAll(async () => {
  const app = createApp();
  app.use(requestId(), requestLog(log), jsonBody({ askerOf: () => ({ name: 'ada', isKnown: true }) }));
  app.post(['/things/:id', '/things/:id/'], (_req, res) => sendJson(res, 201, { canary: 'canary' }));
  app.get('/broken', () => {
    throw Object.assign(new Error('canary in a message'), { code: 'E_TEST' });
  });
  app.use(
    errorHandler({
      toBody: () => ({}),
      onUnexpected: (error, _req, res) => log.error('failed', { error, requestId: res.locals.requestId }),
    }),
  );
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.drain(0));
beforeEach(() => {
  lines.length = 0;
});

/** The lines written so far, once there are at least `count`. */
async function written(count: number): Promise<Record<string, unknown>[]> {
  while (lines.length < count) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('logs a request as one line of allowed fields, without anything the caller sent', async () => {
  await fetch(`${server.address}/things/canary?q=canary`, {
    method: 'POST',
    headers: { authorization: 'Bearer canary', 'content-type': 'application/json', cookie: 'canary=canary' },
    body: '{"canary":"canary"}',
  });
  expect(await written(1)).toEqual([
    {
      level: 30,
      time: expect.any(String),
      service: 'test',
      event: 'request',
      requestId: expect.stringMatching(/^\w{20}$/),
      method: 'POST',
      route: '/things/:id',
      status: 201,
      ms: expect.any(Number),
    },
  ]);
  expect(lines.join('')).not.toContain('canary');
});

test("logs an error's class, code and stack frames, without its message", async () => {
  await fetch(`${server.address}/broken`);
  const [line] = await written(2);
  expect(line).toMatchObject({ event: 'failed', error: { name: 'Error', code: 'E_TEST' } });
  expect(lines.join('')).toContain('log.test.ts');
  expect(lines.join('')).not.toContain('canary');
});

test.each([
  ['abcd-EFGH_1234', true],
  ['short', false],
  ['has space in it', false],
  ['x'.repeat(65), false],
  ['quote"quote"quote', false],
])('accepts the request ID %j from the header: %j', async (id, taken) => {
  const answer = await fetch(`${server.address}/things/1`, {
    method: 'POST',
    headers: { 'x-request-id': id },
  });
  const answered = answer.headers.get('x-request-id');
  if (taken) expect(answered).toBe(id);
  else expect(answered).toMatch(/^\w{20}$/);
  const [line] = await written(1);
  expect(line?.['requestId']).toBe(answered);
});

test('drops fields that are not on the list', () => {
  const sneaky = { status: 200, token: 'canary', body: { password: 'canary' } };
  log.info('event', sneaky);
  expect(lines.join('')).not.toContain('canary');
});
