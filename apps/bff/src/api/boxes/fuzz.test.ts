/** Fuzzes every operation on boxes and publishing. Each answers any input in the console's words. */
import { connect } from 'node:net';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { beginUpload, imageOf, runsApi, startRun } from '#test/publish.ts';

const runs = process.env['GATEHOUSE_DEEP'] === '1' ? 6000 : 150;
const canary = 'canary-in-a-name';

let boxes: BoxesConsole;
let admin: Browser;
let runId = '';
let providerId = '';
let uploadPath = '';
/** Request lines that reached the registry. */
const asked: string[] = [];
beforeAll(async () => {
  boxes = await startBoxes();
  admin = await boxes.signedIn();
  const run = await startRun(admin, 'fuzzed');
  runId = run.id;
  providerId = run.providers[0]?.id ?? '';
  uploadPath = (await beginUpload(admin, run, imageOf(1000))).path;
  boxes.proxy.onRequest = (bytes) => {
    const line = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD) (\S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
    if (line !== undefined) asked.push(line);
  };
});
afterAll(() => boxes[Symbol.asyncDispose]());

const subjects = allEndpoints.filter(({ path }) =>
  /\/environments\/:environment\/(?:boxes|publish)/.test(path),
);

const awkward = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '../../user/admin',
    '..\\..\\x',
    'a/b',
    '%2e%2e',
    '%2e%2e%2f%2e%2e',
    '%00',
    '\u0000',
    '\u202e\u200b',
    'ＡＤＭＩＮ',
    'ädmin',
    '🧨',
    'x.json',
    '__proto__',
    'constructor',
    "' OR 1=1 --",
    '<script>',
    'v1.0',
    '1.0.0+1',
    '1_0',
    '1e999',
    '-1',
    '1'.repeat(300),
    `${canary}${'a'.repeat(5000)}`,
    'admin',
    'fuzzed',
    '1.0.0',
    '',
  ),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  awkward,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, [], {}, 2 ** 53, 1e308, -0),
  fc.array(fc.string(), { maxLength: 3 }),
);
const fields = fc.dictionary(
  fc.constantFrom(
    'name',
    'username',
    'short_description',
    'description',
    'is_private',
    'version',
    'url',
    'checksum',
    'checksum_type',
    'existing',
    'size',
    'last_modified',
    'fingerprint',
    'source',
    'kind',
    'role',
    'token',
    'token_hash',
    'profile',
    'create',
    '__proto__',
  ),
  value,
);
const body = fc.oneof(
  fields,
  fc.record({
    box: fc.option(fields),
    version: fc.option(fields),
    providers: fc.oneof(value, fc.array(fields, { maxLength: 30 })),
  }),
  value,
);
const request = fc.record({
  endpoint: fc.constantFrom(...subjects),
  names: fc.array(awkward, { minLength: 6, maxLength: 6 }),
  isKnown: fc.boolean(),
  body,
  query: fc.dictionary(fc.constantFrom('q', 'page', 'limit', 'sort', 'size', 'ended', 'x'), awkward),
});

/** Problems must be in the console's words, and about fields that the contract knows. */
function check({ status, headers, json, text }: BrowserAnswer): void {
  if (status < 400) return;
  expect([status, headers['content-type']]).toEqual([
    status,
    expect.stringContaining('application/problem+json'),
  ]);
  expect(json).toMatchObject({ status, code: expect.any(String), title: expect.any(String) });
  expect(json['code']).not.toBe('internal');
  expect(String(json['detail']).length).toBeGreaterThan(10);
  expect(text).not.toContain(canary);
  // A file's size may exceed the available space.
  if (status !== 507) expect(status).toBeLessThan(500);
}

test('every operation answers any input with a documented problem, and the registry gets only known requests', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ endpoint, names, isKnown, body: sent, query }) => {
      const known: Record<string, string> = {
        environment: 'test',
        username: 'admin',
        name: 'fuzzed',
        version: '1.0.0',
        run: runId,
        architecture: 'unknown',
        provider: endpoint.path.includes('publish') ? providerId : 'virtualbox',
      };
      let at = 0;
      const path = endpoint.path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
        const given = names[at++] ?? '';
        return encodeURIComponent(name === 'environment' || isKnown ? (known[name] ?? given) : given);
      });
      const search = endpoint.query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
      check(
        await admin.send(endpoint.method, path + search, {
          ...(endpoint.body !== undefined && { body: JSON.stringify(sent) }),
          ...(endpoint.guarded === true && { revision: 'x' }),
        }),
      );
    }),
    { numRuns: runs },
  );
  expect(asked.length).toBeGreaterThan(20);
  for (const path of asked) {
    const { pathname } = new URL(path, 'http://registry.invalid');
    expect([path, pathname]).toEqual([path, path.replace(/\?.*$/s, '')]);
    expect(pathname).toMatch(/^\/api\/v[12]\//);
  }
});

test('paths that a server could read in another way are refused unchanged', async () => {
  const { hostname, port } = new URL(boxes.console.origin);
  const send = (method: string, path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString('latin1')));
      socket.once('close', () => resolve(text));
      socket.once('error', reject);
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Gatehouse: console\r\nSec-Fetch-Site: same-origin\r\nTus-Resumable: 1.0.0\r\nConnection: close\r\nCookie: ${admin.cookie ?? ''}\r\n\r\n`,
      );
    });
  const before = asked.length;
  const owners = '/api/environments/test/boxes/owners';
  for (const path of [
    `${owners}/admin/boxes/%2e%2e`,
    `${owners}/admin/boxes/../../../user`,
    `${owners}/admin/boxes/..%2f..%2fuser`,
    `${owners}/%2e/boxes/fuzzed`,
    `${owners}/admin/boxes/a%5cb`,
    `${owners}/admin/boxes/%00`,
    `${owners}/admin/boxes/%c0%ae`,
    `${owners}/admin/boxes/%`,
    `${owners}/admin/boxes/fuzzed/versions/%2e%2e`,
    `${owners}//boxes/`,
  ])
    expect([path, await send('GET', path)]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 40[04] /)]);
  expect(asked.slice(before)).toEqual([]);
  for (const path of [
    '/api/uploads/..%2f..%2fconsole',
    '/api/uploads/%2e%2e',
    '/api/uploads/pu_x',
    `${uploadPath}x`,
  ])
    expect([path, await send('HEAD', path)]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 40[04] /)]);
  for (const ticket of ['x', '..', '%2e%2e', 'a'.repeat(3000), '%00'])
    expect([ticket, await send('GET', `/download/${ticket}`)]).toEqual([
      ticket,
      expect.stringMatching(/^HTTP\/1\.1 40[04] /),
    ]);
});

test('invalid headers of an upload are refused, and nothing is stored', async () => {
  const run = await startRun(admin, 'headers');
  const { path } = await beginUpload(admin, run, imageOf(1000));
  const good = {
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  };
  for (const [name, given] of [
    ['upload-offset', '-1'],
    ['upload-offset', '1e1'],
    ['upload-offset', 'x'],
    ['upload-offset', '9'.repeat(400)],
    ['tus-resumable', '0.2.2'],
    ['content-type', 'application/json'],
  ] as const) {
    const headers = { ...good, [name]: given };
    const answer = await admin.send('PATCH', path, { body: Buffer.from('x'), headers });
    check(answer);
    expect([name, given, answer.status]).toEqual([name, given, expect.toSatisfy((status) => status >= 400)]);
  }
  const after = await admin.send('GET', `${runsApi}/${run.id}`);
  expect(after.json['providers']).toMatchObject([{ upload: { received: 0, state: 'receiving' } }]);
});
