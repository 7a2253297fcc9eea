import { connect } from 'node:net';
import type { Client } from '@gatehouse/service-kit/testing/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProvider } from '../testing/publishing.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';
import { routes } from './routes.ts';

const runs = process.env['GATEHOUSE_DEEP'] === '1' ? 5000 : 150;

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startServer({ rateLimit: { requests: { burst: 1e9, perSecond: 1e9 } } });
  admin = await server.as('administrator');
  await createProvider(admin, 'one');
});
afterAll(() => server[Symbol.asyncDispose]());

const awkward = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '...',
    '../../etc/passwd',
    '..\\..\\x',
    'a/b',
    '%2e%2e',
    '%00',
    '\u0000',
    'x.json',
    '-',
    '_',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    '<script>',
    'ＡＤＭＩＮ',
    'a'.repeat(5000),
    '1e999',
    'null',
    '',
  ),
  fc.string(),
  fc.string({ unit: 'binary' }),
);
const value = fc.oneof(
  awkward,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, 1e308, Number.MAX_SAFE_INTEGER),
  fc.array(fc.string(), { maxLength: 3 }),
);
const names = [
  'username',
  'name',
  'short_description',
  'description',
  'is_private',
  'version',
  'url',
  'checksum',
  'architecture',
  'default_architecture',
];
const fields = fc.dictionary(
  fc.oneof(fc.constantFrom(...names, 'checksum_type', 'login', 'password', 'code', 'phone', 'role'), awkward),
  value,
  { maxKeys: 6 },
);
const groups = [
  'box',
  'version',
  'provider',
  'user',
  'token',
  'two_factor',
  'organization',
  'member',
  'settings',
];
const body = fc.oneof(
  fields,
  value,
  fc.dictionary(fc.constantFrom(...groups), fc.oneof(fields, value), { maxKeys: 3 }),
  fc.string(),
);

/** The path of a route, with awkward or existing names. */
const path = fc.constantFrom(...routes).chain((route) =>
  fc.array(awkward, { minLength: 6, maxLength: 6 }).chain((words) =>
    fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }).map((usual) => {
      const known: Readonly<Record<string, string>> = {
        username: 'admin',
        name: 'one',
        version: '1.0.0',
        provider: 'virtualbox',
        architecture: 'unknown',
      };
      let at = 0;
      return route.path.replaceAll(/:([a-z]+)/g, (_, name: string) => {
        const word = words[at % 6] ?? '';
        const chosen = usual[at++ % 6] === true ? (known[name] ?? word) : word;
        return encodeURIComponent(chosen.toWellFormed());
      });
    }),
  ),
);

/** Expects an answer in the form of the API: no internal error, and a reason in every refusal. */
function expectClear(answer: Awaited<ReturnType<Client['get']>>): void {
  expect(answer.status).toBeLessThan(500);
  if (answer.status < 400 || answer.status === 416) return;
  const { errors, success } = answer.body;
  expect(success).toBe(false);
  expect(
    Array.isArray(errors) && errors.length > 0 && errors.every((error) => typeof error === 'string'),
  ).toBe(true);
}

test('answers awkward names and bodies clearly', async () => {
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      body,
      async (path, method, body) => {
        // Skips operations that would revoke this token or change its user's second factor.
        if (method !== 'GET' && /^\/api\/v1\/(?:authenticate|two-factor)$/.test(path)) return;
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        expectClear(await admin.send(method, path, method === 'GET' ? undefined : text));
      },
    ),
    { numRuns: runs },
  );
});

test('answers awkward bodies of sign-in clearly', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom('authenticate', 'two-factor/request-code'), async (body, path) => {
      expectClear(await server.anonymous.post(`/api/v1/${path}`, body));
    }),
    { numRuns: Math.ceil(runs / 3) },
  );
});

test("doesn't serve anything outside the registry for any path", async () => {
  for (const target of [
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/admin/boxes/one/versions/1.0.0/providers/..%2f..%2f..%2fbox-registry.db.box',
    '/admin/boxes/one/versions/..%2f..%2f/providers/virtualbox.box',
    '/upload/..%2f..%2fbox-registry.db?expires=99999999999999&signature=x',
    '/%',
    '/%c0%ae%c0%ae/x',
    '//admin//one',
  ]) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect([target, /^HTTP\/1\.1 (?:400|404|405) /.test(text)]).toEqual([target, true]);
    expect(text).toContain('"success":false');
  }
});

test('refuses bodies over the limits', async () => {
  const large = await admin.post('/api/v1/boxes', { name: 'x', description: 'x'.repeat(1024 * 1024) });
  expect([large.status, large.body['success']]).toEqual([413, false]);
  const deep = await admin.post('/api/v1/boxes', '['.repeat(100) + ']'.repeat(100));
  expect(deep.status).toBe(400);
});
