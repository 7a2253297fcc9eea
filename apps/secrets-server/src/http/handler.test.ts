import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { silentLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { countTurns } from '@gatehouse/service-kit/testing/turn-counter';
import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { writeLinesOf } from '@gatehouse/service-kit/testing/write-lines';
import { currentAsker } from '@gatehouse/service-kit/write-queue';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ForwardedRequest } from '../replication/link/types.ts';
import type { Client, WireAnswer } from '../testing/client.ts';
import { as, tokenWith } from '../testing/people.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';
import { answerForwarded } from './handler.ts';
import type { Pipeline } from './pipeline.ts';

const deep = process.env['GATEHOUSE_DEEP'] === '1';
/** In milliseconds. */
const timeout = deep ? 1_800_000 : 60_000;

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startServer();
  client = await as(server, 'administrator');
});
afterAll(() => server[Symbol.asyncDispose]());

const errorsOf = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];

/** Sends raw bytes and returns the answer, read until the server closes the connection. */
async function raw(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  for (const part of parts) socket.write(part);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const head = (method: string, path: string, ...headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
const token = (): string => `X-Vault-Token: ${client.token}`;

describe('simultaneous requests', () => {
  test('see their own acknowledged writes and none of the others', async () => {
    const turns = async (name: string): Promise<void> => {
      for (let version = 1; version <= 5; version += 1) {
        await client.write(`secret/data/many/${name}`, { data: { name, version } });
        const { data } = await client.read(`secret/data/many/${name}`);
        expect(data).toMatchObject({ data: { name, version }, metadata: { version } });
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, index) => turns(`n${index}`)));
  });

  test('are answered over several turns of the event loop if they take long', async () => {
    const data = Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`k${index}`, index]));
    await client.write('secret/data/wide', { data });
    using counter = countTurns();
    const answered = new Set<number>();
    const counting = await listen(
      (req, res) => {
        res.once('prefinish', () => answered.add(counter.turn));
        server.service.handler(req, res);
      },
      { host: '127.0.0.1', port: 0 },
    );
    const sockets = Array.from({ length: 24 }, () => connect(counting.port, '127.0.0.1'));
    // All sockets are accepted first so that all can be read in the same turn.
    for (let accepted = 0; accepted < sockets.length; accepted += 1)
      await once(counting.server, 'connection');
    for (const socket of sockets) socket.write(head('GET', '/v1/secret/subkeys/wide', token()));
    await Promise.all(sockets.map((socket) => buffer(socket)));
    await counting.drain(0);
    expect(answered.size).toBeGreaterThan(5);
  });

  test('on one connection are answered in the order sent', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await client.write(`secret/data/queue/${name}`, { data: { name } });
    const get = (path: string, ...headers: readonly string[]): string =>
      [`GET /v1/${path} HTTP/1.1`, 'Host: x', token(), ...headers, '', ''].join('\r\n');
    const text = await raw(
      [
        get('secret/data/queue/one'),
        get('secret/data/queue/missing'),
        get('secret/data/queue/two'),
        get('secret/data/queue/three', 'Connection: close'),
      ].join(''),
    );
    const told = text.matchAll(/HTTP\/1\.1 (?<status>\d+)|"name":"(?<name>\w+)"/g);
    expect(Array.from(told, ({ groups }) => groups?.['name'] ?? groups?.['status'])).toEqual([
      '200',
      'one',
      '404',
      '200',
      'two',
      '200',
      'three',
    ]);
  });

  test('from clients that disconnect at once do not disturb the others', async () => {
    await client.write('secret/data/gone', { data: { n: 1 } });
    const gone = Array.from({ length: 20 }, async (_, index) => {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`GET /v1/secret/data/gone HTTP/1.1\r\nHost: x\r\n${token()}\r\n\r\n`);
      if (index % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    });
    const answers = Array.from({ length: 20 }, () => client.read('secret/data/gone'));
    await Promise.all(gone);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

test("writes wait in the line of the token's owner, or of the client's network without a token", async () => {
  const owner = new Set([server.accounts.getByLoginName('admin')?.id]);
  expect(await writeLinesOf(() => client.write('secret/data/line', { data: {} }))).toEqual(owner);
  const child = server.with(await tokenWith(client, {}));
  expect(await writeLinesOf(() => child.write('secret/data/line', { data: {} }))).toEqual(owner);
  const stranger = new Set(['secrets write 127.0.0.0/8']);
  expect(await writeLinesOf(() => as(server, 'operator'))).toEqual(stranger);
});

describe('a request', () => {
  test('reads the token from X-Vault-Token or else from a bearer header', async () => {
    const by = (headers: Record<string, string>) =>
      server.anonymous.send('GET', 'sys/mounts', undefined, headers);
    expect((await by({ 'x-vault-token': client.token ?? '' })).status).toBe(200);
    expect((await by({ authorization: `Bearer ${client.token}` })).status).toBe(200);
    expect((await by({ authorization: `bearer ${client.token}` })).status).toBe(200);
    expect((await by({ authorization: `Basic ${client.token}` })).status).toBe(403);
    expect((await by({ authorization: `Bearer ${client.token}`, 'x-vault-token': 'other' })).status).toBe(
      403,
    );
    expect(errorsOf(await by({}))).toEqual([403, ['permission denied']]);
  });

  test('without a valid token does not reveal which paths exist', async () => {
    for (const path of ['secret/data/a', 'nowhere/a', 'sys/nothing', 'secret/nothing', 'sys/mounts']) {
      expect(errorsOf(await server.with('hvs.guess').read(path))).toEqual([403, ['permission denied']]);
    }
  });

  test('for an unknown path or method is refused with the reason', async () => {
    expect(errorsOf(await client.read('x/y'))).toEqual([
      404,
      ['no handler for route "x/y". route entry not found.'],
    ]);
    expect((await client.read('secret')).status).toBe(404);
    expect(errorsOf(await client.read('sys/nothing'))).toEqual([404, ['unsupported path']]);
    expect(errorsOf(await client.delete('sys/mounts'))).toEqual([405, ['unsupported operation']]);
    expect(errorsOf(await client.read('secret/delete/a'))).toEqual([405, ['unsupported operation']]);
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      expect(await raw(head(method, '/v1/secret/data/a', token()))).toMatch(/^HTTP\/1\.1 405 /);
    }
    expect(await raw(head('GET', '/', token()))).toMatch(/^HTTP\/1\.1 404 /);
    expect(await raw(head('GET', '/v2/sys/mounts', token()))).toMatch(/^HTTP\/1\.1 404 /);
    expect(await raw(head('GET', `http://x/v1/sys/mounts`, token()))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('gets the same answer by LIST and by GET with list=true', async () => {
    await client.write('secret/data/listed/a', { data: {} });
    for (const path of ['/v1/secret/metadata/listed', '/v1/secret/metadata/listed/']) {
      const listed = await raw(head('LIST', path, token()));
      expect(listed).toMatch(/^HTTP\/1\.1 200 /);
      expect(listed).toContain('"data":{"keys":["a"]}');
      expect(await raw(head('GET', `${path}?list=true`, token()))).toContain('"data":{"keys":["a"]}');
    }
    expect(await raw(head('LIST', '/v1/secret/metadata/none', token()))).toMatch(
      /^HTTP\/1\.1 404 [^]*\{"errors":\[\]\}/,
    );
  });

  test.each([
    ['POST', '/v1/secret/data/'],
    ['OPTIONS', '/v1/sys/health'],
    ['GET', '/v1/sys/health?list=u'],
  ])('%s %s is refused in the turn of its address', async (method, path) => {
    expect(await turnsBefore(() => raw(head(method, path)), false)).toBe(20);
  });

  test('with more than 100 query parameters is refused before they are parsed', async () => {
    const query = (count: number): string => Array.from({ length: count }, (_, n) => `a${n}=`).join('&');
    expect(await raw(head('GET', `/v1/sys/health?${query(100)}`))).toContain('HTTP/1.1 200');
    expect(await raw(head('GET', `/v1/sys/health?${query(101)}`))).toContain('too many query parameters');
  });

  test('with a namespace of more than 1,024 characters is refused before it is looked up', async () => {
    const slashes = (count: number): string => `X-Vault-Namespace: ${'/'.repeat(count)}`;
    expect(await raw(head('GET', '/v1/sys/health', slashes(1_024)))).toContain('HTTP/1.1 200');
    expect(await raw(head('GET', '/v1/sys/health', slashes(1_025)))).toContain(
      'X-Vault-Namespace is longer than 1024 characters',
    );
  });

  test('that repeats a query parameter is refused, since a policy might judge the other value', async () => {
    await client.write('secret/data/judged', { data: { v: 'first' } });
    await client.write('secret/data/judged', { data: { v: 'second' } });
    const rule = (limits: string) => `path "secret/data/judged" { capabilities = ["read"] ${limits} }`;
    for (const limits of [
      'denied_parameters = { version = ["1"] }',
      'allowed_parameters = { version = ["2"] }',
    ]) {
      await client.write('sys/policies/acl/judged', { policy: rule(limits) });
      const limited = server.with(await tokenWith(client, { policies: ['judged'], no_default_policy: true }));
      expect((await limited.read('secret/data/judged?version=2')).status).toBe(200);
      expect((await limited.read('secret/data/judged?version=1')).status).toBe(403);
      for (const query of ['version=1&version=2', 'version=1&%76ersion=2'])
        expect(errorsOf(await limited.read(`secret/data/judged?${query}`))).toEqual([
          400,
          ['query parameter "version" is given more than once'],
        ]);
    }
  });

  test('by HEAD is answered only for sys/health, like GET without the body', async () => {
    const answer = await raw(head('HEAD', '/v1/sys/health'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*Content-Length: \d+\r\n[^]*\r\n\r\n$/);
    expect(await raw(head('HEAD', '/v1/secret/data/none', token()))).toMatch(/^HTTP\/1\.1 405 /);
    expect(await raw(head('HEAD', '/v1/sys/mounts'))).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('is answered with headers that forbid caching', async () => {
    const answers = [
      await client.read('sys/mounts'),
      await client.read('secret/data/none'),
      await client.write('secret/config', {}),
      await server.anonymous.read('sys/health'),
      await server.anonymous.read('sys/mounts'),
    ];
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('a body', () => {
  test('is accepted with any content type, and in chunks', async () => {
    for (const type of [
      'text/plain',
      'application/json; charset=utf-8',
      'application/x-www-form-urlencoded',
    ]) {
      const answer = await client.send('POST', 'secret/data/typed', '{"data":{"a":1}}', {
        'content-type': type,
      });
      expect([type, answer.status]).toEqual([type, 200]);
    }
    const chunked = head('POST', '/v1/secret/data/chunked', token(), 'Transfer-Encoding: chunked');
    expect(await raw(chunked, '9\r\n{"data":{\r\n', '8\r\n"a":"ü"\r\n', '2\r\n}}\r\n0\r\n\r\n')).toMatch(
      / 200 /,
    );
    expect((await client.read('secret/data/chunked')).data).toMatchObject({ data: { a: 'ü' } });
  });

  test.each([
    '{',
    '[]',
    '"text"',
    '{"data":{}} more',
    '{"data":{},"data":{}}',
    `{"data":${'['.repeat(600)}${']'.repeat(600)}}`,
  ])('is refused if it is not a JSON object: %s', async (body) => {
    const answer = await client.write('secret/data/broken', body);
    expect([answer.status, String(answer.body['errors'])]).toEqual([
      400,
      expect.stringMatching(/^failed to decode JSON input/),
    ]);
  });

  test('over 32 MiB is refused, by its declared length or while it arrives', async () => {
    const limit = 32 * 1024 * 1024;
    const declared = head('POST', '/v1/secret/data/big', token(), `Content-Length: ${limit + 1}`);
    expect(await raw(declared)).toMatch(
      /^HTTP\/1\.1 413 [^]*\{"errors":\["http: request body too large"\]\}/,
    );
    const chunked = head('POST', '/v1/secret/data/big', token(), 'Transfer-Encoding: chunked');
    const piece = Buffer.alloc(1024 * 1024, 0x20);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]);
    expect(await raw(chunked, ...Array.from({ length: 33 }, () => chunk))).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("that is large waits for a turn of its token's owner without delaying other users", async () => {
    const again = await as(server, 'administrator');
    const operator = await as(server, 'operator');
    const held = [client, again].map(({ token = '' }) => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
      socket.write(
        head(
          'POST',
          '/v1/secret/data/a',
          `X-Vault-Token: ${token}`,
          'Content-Length: 9000000',
          'Expect: 100-continue',
        ),
      );
      return socket;
    });
    await Promise.all(held.map((socket) => once(socket, 'data')));
    // Not JSON, which the server finds out only by reading the whole body.
    const send = (by: Client) => by.send('POST', 'secret/data/a', 'x'.repeat(2 ** 20 + 1));
    const refused = Promise.withResolvers<WireAnswer>();
    const sent = Array.from({ length: 30 }, async () => {
      const answer = await send(again);
      if (answer.status === 429) refused.resolve(answer);
      return answer;
    });
    const answer = await refused.promise;
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(errorsOf(answer)).toEqual([
      429,
      ['24 of your large requests are already waiting. Send this one when they are done.'],
    ]);
    expect((await send(operator)).status).toBe(400);
    for (const socket of held) socket.destroy();
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(24);
  });

  test('is refused if it is compressed, ends early or is not UTF-8', async () => {
    const encoded = head('POST', '/v1/secret/data/a', token(), 'Content-Encoding: gzip', 'Content-Length: 2');
    expect(await raw(encoded, '{}')).toMatch(/^HTTP\/1\.1 415 /);
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(
      await raw(head('POST', '/v1/secret/data/a', token(), `Content-Length: ${bytes.length}`), bytes),
    ).toMatch(/^HTTP\/1\.1 400 /);
    const socket = connect(server.port, '127.0.0.1');
    socket.end(head('POST', '/v1/secret/data/early', token(), 'Content-Length: 99') + '{"data":{}}');
    for await (const chunk of socket) void chunk;
    expect((await client.read('secret/data/early')).status).toBe(404);
  });

  test('with any JSON or text never causes a server error', { timeout }, async () => {
    const paths = [
      'secret/data/f',
      'secret/metadata/f',
      'secret/delete/f',
      'secret/undelete/f',
      'secret/destroy/f',
      'secret/config',
      'sys/mounts/f',
      'sys/mounts/secret/tune',
    ];
    const names = [
      'data',
      'options',
      'cas',
      'versions',
      'max_versions',
      'cas_required',
      'delete_version_after',
      'custom_metadata',
      'type',
      'config',
      'description',
    ];
    const any = fc.jsonValue({ maxDepth: 3 });
    const body = fc.oneof(
      fc
        .dictionary(fc.constantFrom(...names), any, { noNullPrototype: true })
        .map((value) => JSON.stringify(value)),
      any.map((value) => JSON.stringify(value)),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom('POST', 'PUT', 'PATCH'),
        body,
        async (path, method, text) => {
          const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
          const answer = await client.send(method, path, text, { 'content-type': type });
          expect(answer.status).toBeLessThan(500);
          expect(answer.status).not.toBe(403);
        },
      ),
      { numRuns: deep ? 10_000 : 300 },
    );
    expect((await client.read('sys/mounts')).status).toBe(200);
  });
});

test('a request in a namespace that does not exist is refused with 404', async () => {
  const answer = await client.send('GET', 'sys/mounts', undefined, { 'x-vault-namespace': 'nowhere' });
  expect(errorsOf(answer)).toEqual([404, ['namespace not found']]);
  for (const namespace of ['', '/', 'root']) {
    const own = await client.send('GET', 'sys/mounts', undefined, { 'x-vault-namespace': namespace });
    expect(own.status).toBe(200);
  }
});

test('a forwarded write waits in the line of its secondary and owner, whatever its token is called', async () => {
  const askers: string[] = [];
  const pipeline: Partial<Pipeline> = {
    namespaces: { has: () => true },
    findMount() {
      askers.push(currentAsker());
      return undefined;
    },
    sealed: () => true,
    clock: server.clock,
    log: silentLog,
  };
  const request: ForwardedRequest = {
    namespace: '',
    method: 'POST',
    path: 'secret/data/a',
    body: '{}',
    contentType: undefined,
    policies: [],
    displayName: 'token-x',
    callerNamespace: '',
    wrapTtl: 0,
  };
  const forwarded = (secondary: string, owner?: string) =>
    answerForwarded(pipeline as Pipeline, secondary, { ...request, owner }, undefined);
  await forwarded('berlin~1', 'ada');
  await forwarded('berlin~1', 'eve');
  await forwarded('lyon~1', 'eve');
  // From a secondary of version 0.1.0.
  await forwarded('lyon~1');
  expect(askers).toEqual(['berlin~1 ada', 'berlin~1 eve', 'lyon~1 eve', 'lyon~1 token-x']);
});
