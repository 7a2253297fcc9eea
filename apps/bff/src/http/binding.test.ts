import { once } from 'node:events';
import http from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import type { EndpointDefinition } from '@gatehouse/api-types/contract';
import { bodyDeadlineMs, createApp } from '@gatehouse/service-kit/http';
import { countTurns } from '@gatehouse/service-kit/testing/turn-counter';
import { writeLinesOf } from '@gatehouse/service-kit/testing/write-lines';
import type { Express } from 'express';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '#api/operations.ts';
import { ProblemError } from '#ground/problem.ts';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import type { Browser, BrowserRequest } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole, confirmAs } from '#test/console.ts';
import { callerOf } from './binding.ts';
import { peers } from './peer.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** IDs that don't exist, so that no call of the matrix changes anything. */
const pathOf = ({ path }: EndpointDefinition): string =>
  path
    .replace(':environment', 'test')
    .replace(':service', 'secrets')
    .replace(':id', 'none')
    .replace(':key', 'none');
const paths = [...new Set(allEndpoints.map(pathOf))];
type Route = readonly [method: string, path: string];

let controller: BoundaryController;
let console: TestConsole;
let anonymous: Browser;
let page: Browser;

beforeAll(async () => {
  controller = await boundaryController();
  console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  anonymous = console.browser();
  page = console.browser();
  await signInAs(page, 'admin', boundaryPassword);
  // Operations that need the password again are tested beyond that question too.
  await confirmAs(page, boundaryPassword);
});
afterAll(async () => {
  await console.close();
  await controller.close();
});

/** Applies a rule to routes. A failure names each route that breaks the rule, and how. */
async function expectOnEach(
  routes: readonly Route[],
  rule: (...route: Route) => Promise<void>,
): Promise<void> {
  expect(routes.length).toBeGreaterThan(2);
  const broken: string[] = [];
  for (const [method, path] of routes) {
    await rule(method, path).catch((error: unknown) => broken.push(`${method} ${path}: ${String(error)}`));
  }
  expect(broken).toEqual([]);
}

async function expectRefused(method: string, path: string, request: BrowserRequest): Promise<void> {
  const answer = await page.send(method, path, request);
  expect([answer.status, answer.headers['connection']]).toEqual([403, 'close']);
  if (method !== 'HEAD') expect(answer.json['code']).toBe('origin-refused');
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

async function expectMisdirected(method: string, path: string, host: string): Promise<void> {
  const { status, headers } = await page.send(method, path, { headers: { host } });
  expect([status, headers['connection']]).toEqual([421, 'close']);
}

describe('covers every path of the contract with every method', () => {
  const routes = paths.flatMap((path) => methods.map((method): Route => [method, path]));
  const declared = allEndpoints.map((endpoint): Route => [endpoint.method, pathOf(endpoint)]);
  const guarded = allEndpoints
    .filter((endpoint) => endpoint.guarded)
    .map((endpoint): Route => [endpoint.method, pathOf(endpoint)]);
  const ofSession = allEndpoints
    .filter((endpoint) => endpoint.anonymous !== true)
    .map((endpoint): Route => [endpoint.method, pathOf(endpoint)]);
  /** All variants of a rule are tried here only, because one function refuses for all routes. */
  const some: readonly Route[] = [
    ['GET', '/api/session'],
    ['POST', '/api/environments/test/access/targets'],
    ['DELETE', '/api/environments/test/access/targets/none'],
  ];

  test('refused without the static header, from other sites and under other names', async () => {
    await expectOnEach(routes, (method, path) => expectRefused(method, path, { without: ['x-gatehouse'] }));
    await expectOnEach(declared, async (method, path) => {
      await expectRefused(method, path, { headers: { 'sec-fetch-site': 'cross-site' } });
      await expectRefused(method, path, {
        without: ['sec-fetch-site'],
        headers: { origin: 'https://evil.example' },
      });
      await expectMisdirected(method, path, 'evil.example');
    });
  });

  test('refused however the header, the site or the name is wrong', async () => {
    const refused: readonly BrowserRequest[] = [
      { headers: { 'x-gatehouse': 'other' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
      { headers: { 'sec-fetch-site': 'none' } },
      { headers: { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' } },
      { without: ['sec-fetch-site'] },
      { without: ['sec-fetch-site'], headers: { origin: 'null' } },
      {
        without: ['sec-fetch-site'],
        headers: { origin: console.origin.replace('127.0.0.1', 'localhost') },
      },
    ];
    await expectOnEach(some, async (method, path) => {
      for (const request of refused) await expectRefused(method, path, request);
      for (const host of ['127.0.0.1.evil.example', 'localhost.evil.example:80']) {
        await expectMisdirected(method, path, host);
      }
    });
  });

  test("refused from another person's page before anything is done, and answered from your own", async () => {
    const before = controller.seen.length;
    const at = (person: string) => ({ headers: { 'x-gatehouse-person': person, 'tus-resumable': '1.0.0' } });
    const others: readonly Route[] = [
      ['PATCH', '/api/uploads/none'],
      ['HEAD', '/api/uploads/none'],
      ['GET', '/download/none'],
    ];
    await expectOnEach([...ofSession, ...others], async (method, path) => {
      for (const person of ['test/access/u_other', 'test/access/u_admin, test/access/u_admin', '']) {
        const { status, json } = await page.send(method, path, at(person));
        expect(status).toBe(401);
        if (method !== 'HEAD')
          expect(json).toMatchObject({ code: 'unauthenticated', signedOut: 'other-person' });
      }
    });
    // Signing out was one of the requests.
    expect((await page.send('GET', '/api/session', at('test/access/u_admin'))).status).toBe(200);
    expect(controller.seen.slice(before)).toEqual([]);
    expect((await page.send('GET', '/api/session')).status).toBe(200);
  });

  test('answers what the contract says, and 405 for the rest', async () => {
    await expectOnEach(routes, async (method, path) => {
      const here = allEndpoints.filter((endpoint) => pathOf(endpoint) === path);
      const endpoint = here.find((one) => one.method === method);
      const answer = await anonymous.send(method, path);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['x-request-id']).toMatch(/^[\w-]{8,}$/);
      expect(answer.headers['x-powered-by']).toBeUndefined();
      expect(answer.headers['etag']).toBeUndefined();
      if (endpoint === undefined) {
        expect(answer.status).toBe(405);
        expect(String(answer.headers['allow']).split(', ').sort()).toEqual(
          here.map((one) => one.method).sort(),
        );
      } else if (endpoint.anonymous !== true) {
        expect(answer.status).toBe(401);
        expect(answer.json).toMatchObject({ code: 'unauthenticated', signedOut: 'none' });
        expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      } else {
        expect([200, 400]).toContain(answer.status);
      }
    });
  });

  async function expectNoRevision(method: string, path: string, malformed: readonly string[]): Promise<void> {
    const body = method === 'DELETE' ? undefined : { name: 'x' };
    expect((await page.send(method, path, { body })).json).toMatchObject({
      status: 428,
      code: 'revision-required',
    });
    for (const revision of malformed) {
      const answer = await page.send(method, path, { body, headers: { 'if-match': revision } });
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request' });
    }
  }

  test('needs a revision where it is guarded', async () => {
    await expectOnEach(guarded, (method, path) => expectNoRevision(method, path, ['*']));
    await expectOnEach(guarded.slice(0, 3), (method, path) =>
      expectNoRevision(method, path, ['3', '"3', 'W/"3"', '"3", "4"', '""', `"${'3'.repeat(201)}"`]),
    );
  });
});

test('binds each route by the contract, except the one for the bytes of uploads that the contract began', async () => {
  const { stack } = (console.bff.handler as Express).router;
  const routers = stack.filter(({ name }) => name === 'router');
  expect(routers).toHaveLength(1);
  const inside = routers.flatMap(({ handle }) => Reflect.get(handle, 'stack') as typeof stack);
  // Another nested router would hide its routes from this list.
  expect(inside.filter(({ route }) => route === undefined)).toEqual([]);
  const bound = new Set<string>(allEndpoints.map(({ path }) => path));
  const others = [...stack, ...inside].flatMap(({ route }) =>
    route && !bound.has(route.path) ? [route.path] : [],
  );
  const read = ['/healthz', '/api/openapi.json', '/download/:ticket'];
  expect(others).toEqual([...read, '/api/uploads/:id']);
  for (const [path, status] of [
    ['/api/uploads', 404],
    ['/api/openapi.json', 405],
    ['/download/none', 405],
  ] as const)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect([method, path, (await page.send(method, path)).status]).toEqual([method, path, status]);
});

describe('the API', () => {
  test('accepts an exact Origin instead of Sec-Fetch-Site', async () => {
    const answer = await page.send('GET', '/api/session', {
      without: ['sec-fetch-site'],
      headers: { origin: console.origin },
    });
    expect(answer.status).toBe(200);
  });

  test('answers unknown paths with a problem', async () => {
    expect((await page.send('GET', '/api/nothing')).json).toMatchObject({ status: 404, code: 'not-found' });
    expect((await page.send('GET', '/api')).json).toMatchObject({ status: 404, code: 'not-found' });
    expect((await page.send('GET', '/api/session/')).json).toMatchObject({ status: 404, code: 'not-found' });
    expect((await page.send('GET', '/api/nothing', { without: ['x-gatehouse'] })).status).toBe(403);
  });

  test('keeps a request ID, and adds it to the problem', async () => {
    const answer = await page.send('GET', '/api/nothing', {
      headers: { 'x-request-id': 'given-by-the-proxy' },
    });
    expect(answer.headers['x-request-id']).toBe('given-by-the-proxy');
    expect(answer.json['requestId']).toBe('given-by-the-proxy');
  });

  test('names refused fields by their paths', async () => {
    const answer = await page.send('POST', '/api/environments/test/access/targets', {
      body: {
        scope_id: 'p_1234567890',
        type: 'tcp',
        name: ' ',
        attributes: { default_port: 65_536 },
        color: 'red',
      },
    });
    expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(answer.json['fields']).toEqual(
      expect.arrayContaining([
        { path: 'name', message: 'A target needs a name.' },
        { path: 'attributes.default_port', message: 'A port is a whole number from 1 to 65535.' },
        { path: 'color', message: "This field doesn't exist." },
      ]),
    );
  });

  test.each([
    [
      'a body of another type',
      { body: 'x=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported-media-type',
    ],
    ['a body that is not JSON', { body: '{"name":' }, 400, 'invalid-request'],
    ['a repeated key', { body: '{"name":"a","name":"b"}' }, 400, 'invalid-request'],
    ['a forbidden key', { body: '{"__proto__":{"x":1}}' }, 400, 'invalid-request'],
    ['no body', {}, 400, 'invalid-request'],
    [
      'a body over 1 MiB',
      { body: JSON.stringify({ name: 'x'.repeat(1024 * 1024) }) },
      413,
      'payload-too-large',
    ],
  ])('refuses %s in a request', async (_what, request, status, code) => {
    const answer = await page.send('POST', '/api/environments/test/access/targets', request);
    expect(answer.json).toMatchObject({ status, code });
  });

  test("answers 408 if a body doesn't arrive", async () => {
    const { hostname, port } = new URL(console.origin);
    const socket = connect(Number(port), hostname);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
      socket.write(
        `POST /api/session HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Gatehouse: console\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
      );
      const later = (): string => {
        vi.advanceTimersByTime(bodyDeadlineMs);
        return answer;
      };
      await expect.poll(later).toMatch(/^HTTP\/1\.1 408 .*did not arrive within 30 seconds/s);
    } finally {
      socket.destroy();
      vi.useRealTimers();
    }
  });

  test('refuses a write whose session ended while its body arrived', async () => {
    const leaving = console.browser();
    await signInAs(leaving, 'admin', boundaryPassword);
    const body = JSON.stringify({ value: '1' });
    const request = http.request(new URL('/api/preferences/late', console.origin), {
      method: 'PUT',
      headers: {
        'x-gatehouse': 'console',
        'sec-fetch-site': 'same-origin',
        cookie: String(leaving.cookie),
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    // The headers have arrived, so their session is looked up before the next request's.
    await once(request, 'continue');
    expect((await leaving.send('DELETE', '/api/session')).status).toBe(204);
    request.end(body);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(401);
    answer.resume();
  });

  test('refuses query values that are repeated, unknown or out of range', async () => {
    for (const query of [
      'scope_id=a&scope_id=b',
      'scope_id=a&x=1',
      'scope_id=a&page_size=0',
      'scope_id=a&page_size=1001',
      'scope_id=a&recursive=maybe',
      '',
    ]) {
      const answer = await page.send('GET', `/api/environments/test/access/targets?${query}`);
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request' });
    }
  });

  test('answers 400 for a malformed path', async () => {
    for (const id of ['%', '%zz', '%ff']) {
      const answer = await page.send('GET', `/api/environments/test/access/targets/${id}`);
      expect(answer.json).toMatchObject({ status: 400, code: 'invalid-request' });
    }
  });

  test.each(['other', 'o'.repeat(64), 'o'.repeat(30_000)])(
    'answers 404 for an unknown environment',
    async (id) => {
      const answer = await page.send('GET', `/api/environments/${id}/access/scopes`);
      expect(answer.json).toMatchObject({ status: 404, code: 'not-found' });
    },
  );
});

/** Bodies of the calls that aren't recorded although they aren't a GET. */
const unrecordedBodies: Readonly<Record<string, object>> = {
  'cloudEngines.checkActions': { actions: ['s3:GetObject'] },
  'moduleArchives.read': { archive: 'eA==' },
  'preferences.put': { value: 1 },
  'replicationSecondaries.previewFilter': { mode: 'all', paths: [] },
};

test('answers 48 calls of a user at once that have a body and no entry in the trail, and refuses more', async () => {
  const unrecorded = allEndpoints.filter(
    ({ method, audit }) => method !== 'GET' && typeof audit !== 'string',
  );
  expect(unrecorded.map(({ name }) => name).sort()).toEqual(Object.keys(unrecordedBodies));
  let run = (): Promise<unknown> => Promise.resolve();
  for (const { name } of unrecorded) {
    const spy = vi.spyOn(operations[name], 'run').mockImplementation(() => run());
    onTestFinished(() => spy.mockRestore());
  }
  const other = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  // One browser has only a few connections.
  const pages = Array.from({ length: 7 }, () => other.browser());
  for (const one of pages) await signInAs(one, 'admin', boundaryPassword);
  for (const endpoint of unrecorded) {
    const { promise, reject } = Promise.withResolvers<never>();
    let begun = 0;
    run = () => {
      begun += 1;
      return promise;
    };
    const body = unrecordedBodies[endpoint.name];
    const answers = Array.from({ length: 49 }, (_, at) =>
      (pages[at % pages.length] ?? page).send(endpoint.method, pathOf(endpoint), { body }),
    );
    expect((await Promise.race(answers)).json, endpoint.name).toMatchObject({
      status: 429,
      code: 'rate-limited',
      detail: '48 of your requests are still being answered. Send this one when they are done.',
      retryAfterSeconds: 5,
    });
    reject(new ProblemError('not-found', 'There is none.'));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(48);
    expect(begun).toBe(48);
  }
  await other.close();
});

test("an operation's writes wait in its user's line, and the rows of the audit trail in their own", async () => {
  await signInAs(console.browser(), 'admin', boundaryPassword);
  const lines = await writeLinesOf(() => page.send('POST', '/api/sessions/end-others'));
  expect(lines).toEqual(new Set(['["test/access","u_admin"]', 'audit trail']));
});

describe('OpenAPI', () => {
  test("has exactly the contract's operations, and resolvable references", async () => {
    const { json, status } = await anonymous.send('GET', '/api/openapi.json');
    expect(status).toBe(200);
    expect(json['openapi']).toMatch(/^3\.1\./);
    const listed = Object.entries(json['paths'] as Record<string, Record<string, unknown>>).flatMap(
      ([path, operations]) =>
        Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        ),
    );
    expect(listed.sort()).toEqual(allEndpoints.map(({ method, path }) => `${method} ${path}`).sort());
    const references = [...JSON.stringify(json).matchAll(/"\$ref":"([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\//);
      let at: unknown = json;
      for (const part of reference.slice(2).split('/')) at = (at as Record<string, unknown>)[part];
      expect(at, reference).toBeTypeOf('object');
    }
  });

  test('groups operations by their part of the console', async () => {
    const { json } = await anonymous.send('GET', '/api/openapi.json');
    const operations = Object.values(json['paths'] as Record<string, Record<string, { tags: string[] }>>);
    expect([
      ...new Set(operations.flatMap((ways) => Object.values(ways).flatMap(({ tags }) => tags))),
    ]).toEqual(
      expect.arrayContaining(['access', 'secrets', 'boxes', 'modules', 'moves', 'activity', 'session']),
    );
  });

  test('names every path parameter', async () => {
    const { json } = await anonymous.send('GET', '/api/openapi.json');
    for (const [path, operations] of Object.entries(
      json['paths'] as Record<string, Record<string, { parameters: { name: string; in: string }[] }>>,
    )) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const operation of Object.values(operations)) {
        expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(
          names,
        );
      }
    }
  });
});

test('spreads requests of strangers that arrive together over many turns', async () => {
  using counter = countTurns();
  const answeredIn = new Set<number>();
  const { hostname, port } = new URL(console.origin);
  const head = `GET /api/environments/test/access/targets HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Gatehouse: console\r\nConnection: close\r\n`;
  const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
  const closed = sockets.map(async (socket) => {
    socket.once('data', () => answeredIn.add(counter.turn));
    await once(socket, 'close');
  });
  // All heads but their last line have been sent, so that the ends arrive together.
  for (const socket of sockets) socket.write(head);
  const sentIn = counter.turn;
  await expect.poll(() => counter.turn).toBeGreaterThan(sentIn + 2000);
  for (const socket of sockets) socket.write('\r\n');
  await Promise.all(closed);
  expect(answeredIn.size).toBeGreaterThan(50);
});

test('counts a client as gone that left before its signal was first read', async () => {
  const aborted = Promise.withResolvers<boolean>();
  const app = createApp().get('/', (req, res) => {
    request.destroy();
    res.once('close', () => {
      aborted.resolve(callerOf(req, res, peers([])).signal.aborted);
    });
  });
  await using server = http.createServer(app);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const request = http.get({ host: '127.0.0.1', port, agent: false }).on('error', () => undefined);
  expect(await aborted.promise).toBe(true);
});
