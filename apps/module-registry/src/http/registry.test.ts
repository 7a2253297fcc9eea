import { createHash } from 'node:crypto';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import { archive, smallModule, tar } from '@gatehouse/module-archive/testing/archives';
import { holdNextSlice } from '@gatehouse/service-kit/testing/held-slice';
import { holdNextWrite } from '@gatehouse/service-kit/testing/held-write';
import { withdrawAccounts } from '@gatehouse/service-kit/testing/test-accounts';
import { expect, test } from 'vitest';
import type { Client, Wire } from '../testing/client.ts';
import { signIn, startServer, testPassword } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

const net = 'acme/net/aws';
const at = (path: string): string => `/v1/modules/${path}`;

/** Publishes small modules. Fails if one is refused. */
async function publish(client: Client, ...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status, text } = await client.publish(path, smallModule());
    expect(status, text).toBe(201);
  }
}

async function errorsOf(answer: Promise<{ readonly status: number; readonly body: Wire }>) {
  const { status, body } = await answer;
  return { status, errors: body['errors'] };
}

/** Downloads an archive like a client: a HEAD request comes first, and the token is sent only to get the location. */
async function fetchModule(server: TestServer, client: Client, path: string): Promise<Response> {
  const { headers } = await client.get(at(`${path}/download`));
  const url = new URL(headers.get('x-terraform-get') ?? '', server.url + at(`${path}/download`));
  await fetch(url, { method: 'HEAD' });
  return fetch(url);
}

const ids = (body: Wire): unknown[] => (body['modules'] as Wire[]).map((module) => module['id']);
const kept = (server: TestServer): string[] => [
  ...readdirSync(join(server.dataDir, 'module-archives', 'archives')),
  ...readdirSync(join(server.dataDir, 'module-archives', 'incoming')),
];

test('discovery names the service, and both base URLs work', async () => {
  await using server = await startServer();
  const { body, headers } = await server.anonymous.get('/.well-known/terraform.json');
  expect(body).toEqual({ 'modules.v1': '/v1/modules/' });
  expect(headers.get('content-type')).toContain('application/json');
  const empty = { meta: { limit: 15, current_offset: 0 }, modules: [] };
  expect((await server.anonymous.get('/v1/modules')).body).toEqual(empty);
  expect((await server.anonymous.get('/v1/modules/')).body).toEqual(empty);
});

test('a client resolves, locates and downloads published modules', async () => {
  await using server = await startServer();
  const operator = await server.as('operator', 'publisher');
  const bytes = archive({
    'main.tf': 'variable "size" {\n  type = list(string)\n}\n',
    'versions.tf':
      'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws", version = "~> 5.0" }\n  }\n}\n',
    'README.md': [
      '<!-- BEGIN_TF_DOCS -->',
      '## Requirements',
      '',
      'No requirements.',
      '<!-- END_TF_DOCS -->',
      '# Net',
      '[![build](https://ci.example/net.svg)](https://ci.example)',
      '**A [network][1]** of <b>its</b> `own_net`: see [docs](https://example.com), 2 * 3 * 4 *more* snake_case.',
      '[1]: https://example.com',
    ].join('\n'),
  });
  const published = await operator.publish(`${net}/1.0.0?source=https://example.com/net`, bytes);
  expect(published.status).toBe(201);
  expect(published.body).toMatchObject({
    id: `${net}/1.0.0`,
    owner: 'operator',
    namespace: 'acme',
    name: 'net',
    provider: 'aws',
    version: '1.0.0',
    description: 'A network of its own_net: see docs, 2 * 3 * 4 more snake_case.',
    source: 'https://example.com/net',
    published_at: '2026-01-01T00:00:00.000Z',
    downloads: 0,
    verified: false,
    deprecation: null,
    reading: { state: 'read', problems: [] },
    root: { inputs: [{ name: 'size', type: 'list(string)', required: true }] },
    providers: ['aws'],
    versions: ['1.0.0'],
    archive: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  });
  expect((await server.anonymous.get(at(`${net}/1.0.0`))).body).toEqual(published.body);
  expect((await server.anonymous.get(at(net))).body).toEqual(published.body);

  const { body } = await server.anonymous.get(at(`${net}/versions`));
  const requirement = { name: 'aws', namespace: 'hashicorp', source: 'hashicorp/aws', version: '~> 5.0' };
  expect(body).toEqual({
    modules: [
      {
        source: net,
        versions: [
          {
            version: '1.0.0',
            published_at: '2026-01-01T00:00:00.000Z',
            root: { providers: [requirement], dependencies: [] },
            submodules: [],
          },
        ],
      },
    ],
  });

  const latest = await server.anonymous.get(at(`${net}/download`));
  expect(latest.status).toBe(302);
  expect(latest.headers.get('location')).toBe(at(`${net}/1.0.0/download`));
  const located = await server.anonymous.get(latest.headers.get('location') ?? '');
  expect([located.status, located.text]).toEqual([204, '']);
  const location = located.headers.get('x-terraform-get') ?? '';
  expect(located.headers.get('x-registry-get')).toBe(location);
  expect(location).toMatch(
    /^\/v1\/archives\/1\/net-aws-1\.0\.0\.tar\.gz\?.*archive=tar\.gz&checksum=sha256%3A/,
  );
  const head = await fetch(server.url + location, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  const got = await fetch(server.url + location);
  expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
});

test.each([
  ['# Net\n\nA network\nthat **spans\nlines**.\n\nMore of it.', 'A network that spans lines.'],
  ['A network\r\nof its own\r\n- with a list', 'A network of its own'],
  ['Net\n===\nA network.', 'Net'],
  [`${'words '.repeat(50)}\n${'words '.repeat(50)}`, `${'words '.repeat(83).trim()}…`],
  ['x'.repeat(600), `${'x'.repeat(499)}…`],
])('the description defaults to the first paragraph of the README: %#', async (readme, description) => {
  await using server = await startServer();
  const operator = await server.as('operator', 'publisher');
  const bytes = archive({ 'main.tf': '', 'README.md': readme });
  expect((await operator.publish(`${net}/1.0.0`, bytes)).body).toMatchObject({ description });
});

test('an archive URL is valid for ten minutes, and for one archive only', async () => {
  await using server = await startServer();
  await publish(await server.as('operator'), `${net}/1.0.0`, `${net}/2.0.0`);
  const { headers } = await server.anonymous.get(at(`${net}/1.0.0/download`));
  const location = headers.get('x-terraform-get') ?? '';
  for (const bad of [
    location.replace('/archives/1/', '/archives/2/'),
    location.replace('expires=1', 'expires=2'),
    location.replace('expires=', 'token=tok_0000000000&expires='),
    location.replace(/signature=[^&]*/, 'signature='),
    '/v1/archives/1/x.tar.gz',
  ])
    expect((await server.anonymous.get(bad)).status, bad).toBe(404);
  server.clock.advance(10 * 60 * 1000);
  expect(await errorsOf(server.anonymous.get(location))).toEqual({
    status: 403,
    errors: ['The address has expired: request the download again'],
  });
});

test("versions can't be changed, and the number of a deleted version can't be reused", async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await publish(admin, `${net}/1.0.0`, `${net}/1.1.0`);
  const again = await admin.publish(`${net}/1.0.0`, smallModule('other'));
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('already exists')]);
  const built = await admin.publish(`${net}/1.0.0+build.5`, smallModule());
  expect([built.status, built.text]).toEqual([409, expect.stringContaining('Version 1.0.0 already exists')]);
  await publish(admin, `${net}/1.0.1+build.5`);
  expect((await admin.publish(`${net}/1.0.1`, smallModule())).text).toContain(
    'Version 1.0.1+build.5 already exists',
  );
  expect((await admin.delete(at(`${net}/1.0.1+build.5`))).status).toBe(204);
  expect((await admin.delete(at(`${net}/1.1.0`))).status).toBe(204);
  expect(kept(server)).toHaveLength(1);
  expect((await admin.get(at(`${net}/1.1.0`))).status).toBe(404);
  expect((await admin.delete(at(`${net}/1.1.0`))).status).toBe(404);
  expect((await admin.get(at(net))).body['version']).toBe('1.0.0');
  const reused = await admin.publish(`${net}/1.1.0`, smallModule());
  expect([reused.status, reused.text]).toEqual([409, expect.stringContaining("can't be reused")]);
  expect((await admin.delete(at(`${net}/1.0.0`))).status).toBe(204);
  expect((await admin.get(at(net))).status).toBe(404);
  expect((await admin.get('/v1/modules')).body['modules']).toEqual([]);
  await publish(admin, `${net}/1.2.0`);
  expect((await admin.get(at(net))).body['versions']).toEqual(['1.2.0']);
});

test('lets one of twenty concurrent requests publish a number, and keeps one archive', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => admin.publish(`${net}/1.0.0`, smallModule(`o${index}`))),
  );
  expect(answers.map((answer) => answer.status).sort((one, other) => one - other)).toEqual([
    201,
    ...Array<number>(19).fill(409),
  ]);
  const won = answers.find((answer) => answer.status === 201);
  expect((await admin.get(at(net))).body).toEqual(won?.body);
  expect(kept(server)).toHaveLength(1);
});

test('refuses bad archives and addresses with the reason, and keeps nothing', async () => {
  await using server = await startServer({ bounds: { sentBytes: 100_000 } });
  const operator = await server.as('operator');
  for (const [path, bytes, status, why] of [
    [`${net}/1.0.0`, Buffer.from('no gzip'), 422, 'The archive was refused: it is not gzip'],
    [`${net}/1.0.0`, Buffer.alloc(0), 422, 'The archive was refused: it is empty'],
    [`${net}/1.0.0`, archive({ 'a/b': '' }), 422, 'it has no module at its root'],
    [`${net}/1.0.0`, gzipSync(tar([{ name: '../x' }])), 422, 'points outside the archive'],
    [`${net}/1.0.0`, Buffer.alloc(100_001), 413, 'The archive is larger than'],
    [`${net}/v1`, smallModule(), 422, 'v1 is not a version such as'],
    ['acme/net/AWS/1.0.0', smallModule(), 422, 'The provider may contain'],
    ['acme/n.t/aws/1.0.0', smallModule(), 422, 'The name may contain'],
    ['search/net/aws/1.0.0', smallModule(), 422, 'The namespace search is reserved'],
    [`${net}/1.0.0?source=ftp://x`, smallModule(), 400, 'source must be an https:// URL'],
    [`${net}/1.0.0?description=${'x'.repeat(501)}`, smallModule(), 400, 'description has more than 500'],
  ] as const) {
    const answer = await operator.publish(path, bytes);
    expect([answer.status, answer.text], path).toEqual([status, expect.stringContaining(why)]);
  }
  expect(kept(server)).toEqual([]);
  expect((await operator.get(at('acme'))).body['modules']).toEqual([]);
});

test('refuses an archive that is slow to read or waits too long, with the reason, and keeps nothing', async () => {
  const script = new URL('data:text/javascript,setInterval(() => {}, 1000)');
  await using server = await startServer({
    content: contentReader({ deadlineMs: 1500, waitMs: 1000, script }),
  });
  const operator = await server.as('operator');
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, n) => operator.publish(`acme/net${n}/aws/1.0.0`, smallModule())),
  );
  const found = answers.map(({ status, headers, body }) =>
    [status, headers.get('retry-after'), ...(body['errors'] as string[])].join(' '),
  );
  expect(found.sort()).toEqual([
    '422  The archive was refused: its .tf files take longer than 1.5 seconds to read: make them smaller or simpler',
    ...Array<string>(3).fill('503 30 The archive waited 1 seconds to be read. Send it again in a minute'),
  ]);
  expect(kept(server)).toEqual([]);
});

test("refuses an archive that takes too much of the parser's memory, keeps nothing, and accepts the next one", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const large = archive({ 'main.tf': 'variable "a" {\n  default = 1e646000000\n}\n' });
  const { status, text } = await operator.publish(`${net}/1.0.0`, large);
  expect([status, text]).toEqual([
    422,
    expect.stringContaining('its .tf files take more than 256 MiB of memory to read'),
  ]);
  expect(kept(server)).toEqual([]);
  expect((await operator.publish(`${net}/1.0.0`, smallModule())).status).toBe(201);
});

test("refuses an archive whose sender's token is revoked while it arrives", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const bytes = smallModule();
  const { promise: rest, resolve: sendRest } = Promise.withResolvers<void>();
  const body = new ReadableStream({
    async start(stream) {
      stream.enqueue(bytes.subarray(0, 20));
      await rest;
      stream.enqueue(bytes.subarray(20));
      stream.close();
    },
  });
  const headers = { authorization: `Bearer ${operator.token}` };
  const init = { method: 'PUT', body, headers, duplex: 'half' };
  const publishing = fetch(server.url + at(`${net}/1.0.0`), init);
  await expect.poll(() => kept(server)).toHaveLength(1);
  await operator.delete('/v1/tokens/self');
  sendRest();
  expect((await publishing).status).toBe(401);
  expect(kept(server)).toEqual([]);
  expect((await server.anonymous.get(at(`${net}/1.0.0`))).status).toBe(404);
});

test("publishes a version with unreadable configuration, and reports the parser's messages", async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const { status, body } = await operator.publish(
    `${net}/1.0.0`,
    archive({
      'main.tf': 'variable "a" {\n type = \n}',
      'outputs.tf': 'output "b" {\n value = 1\n}\n',
      'README.md': '# Hi',
    }),
  );
  expect(status).toBe(201);
  expect(body['reading']).toEqual({
    state: 'unreadable',
    problems: [{ path: 'main.tf', message: expect.stringContaining('main.tf:2,9-3,1: Invalid expression') }],
  });
  expect(body['root']).toMatchObject({ readme: '# Hi', inputs: [], outputs: [{ name: 'b' }] });
  expect((await fetchModule(server, server.anonymous, `${net}/1.0.0`)).status).toBe(200);
});

test('allows each action only to its roles', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  const reader = await server.as('read-only');
  await publish(operator, `${net}/1.0.0`);
  const deprecation = { state: 'deprecated', message: 'old' };
  const actions: readonly (readonly [
    string,
    (client: Client) => Promise<{ status: number }>,
    ...number[],
  ])[] = [
    // Statuses without a token, and for a reader, an operator and an administrator.
    ['read', (client) => client.get(at(net)), 200, 200, 200, 200],
    ['versions', (client) => client.get(at(`${net}/versions`)), 200, 200, 200, 200],
    ['consumers', (client) => client.get(at(`${net}/consumers`)), 401, 200, 200, 200],
    ['tokens', (client) => client.get('/v1/tokens'), 401, 200, 200, 200],
    ['publish', (client) => client.publish(`${net}/2.0.0`, smallModule()), 401, 403, 201, 409],
    ['deprecate', (client) => client.put(at(`${net}/1.0.0/deprecation`), deprecation), 401, 403, 200, 200],
    ['restore', (client) => client.delete(at(`${net}/1.0.0/deprecation`)), 401, 403, 200, 200],
    ['verify', (client) => client.put(at(`${net}/verified`), { verified: true }), 401, 403, 403, 200],
    ['delete', (client) => client.delete(at(`${net}/1.0.0`)), 401, 403, 403, 204],
  ];
  for (const [name, action, ...expected] of actions) {
    const got: number[] = [];
    for (const client of [server.anonymous, reader, operator, admin]) got.push((await action(client)).status);
    expect(got, name).toEqual(expected);
  }
  expect((await server.with('gm_wrong').get(at(net))).status).toBe(401);
});

test('warns of a deprecated version; a revoked one is never the latest, but can still be downloaded', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await publish(operator, `${net}/1.0.0`, `${net}/2.0.0`, `${net}/3.0.0-rc.1`);
  expect((await operator.get(at(net))).body['version']).toBe('2.0.0');
  const revoked = await operator.put(at(`${net}/2.0.0/deprecation`), {
    state: 'revoked',
    message: 'It opens the firewall.',
    replacement: '1.0.0',
  });
  const deprecation = {
    state: 'revoked',
    message: 'It opens the firewall.',
    replacement: '1.0.0',
    date: '2026-01-01T00:00:00.000Z',
  };
  expect(revoked.body['deprecation']).toEqual(deprecation);
  expect((await operator.get(at(net))).body['version']).toBe('1.0.0');
  expect(ids((await operator.get(at('acme'))).body)).toEqual([`${net}/1.0.0`]);
  expect((await operator.get(at(`${net}/download`))).headers.get('location')).toBe(
    at(`${net}/1.0.0/download`),
  );
  const { body } = await operator.get(at(`${net}/versions`));
  const [listed] = body['modules'] as { versions: Wire[] }[];
  expect(listed?.versions.map((version) => [version['version'], version['deprecation']])).toEqual([
    ['1.0.0', undefined],
    ['2.0.0', { ...deprecation, reason: 'Revoked: It opens the firewall. Use 1.0.0 instead.', link: '' }],
    ['3.0.0-rc.1', undefined],
  ]);
  expect((await fetchModule(server, server.anonymous, `${net}/2.0.0`)).status).toBe(200);
  for (const version of ['1.0.0', '3.0.0-rc.1'])
    await operator.put(at(`${net}/${version}/deprecation`), { state: 'revoked', message: 'bad' });
  expect((await operator.get(at(net))).status).toBe(404);
  await operator.delete(at(`${net}/2.0.0/deprecation`));
  expect((await operator.get(at(net))).body).toMatchObject({ version: '2.0.0', deprecation: null });
  for (const bad of [
    {},
    { state: 'gone', message: 'x' },
    { state: 'revoked' },
    { state: 'revoked', message: 7 },
    { state: 'revoked', message: 'seen\u001b[2K' },
    { state: 'revoked', message: 'seen', replacement: '\u0007' },
    [],
  ])
    expect((await operator.put(at(`${net}/1.0.0/deprecation`), bad)).status).toBe(400);
});

test('lists modules in order of creation, in pages, each once even while others are published', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const names = Array.from({ length: 23 }, (_, index) => `n${(index * 7) % 23}`);
  for (const name of names) await publish(admin, `acme/${name}/aws/1.0.0`);
  const { body } = await server.anonymous.get('/v1/modules?limit=10&offset=10');
  expect(body['meta']).toEqual({
    limit: 10,
    current_offset: 10,
    next_offset: 20,
    next_url: '/v1/modules?limit=10&offset=20',
    prev_offset: 0,
    prev_url: '/v1/modules?limit=10&offset=0',
  });
  const seen: unknown[] = [];
  for (let url: unknown = '/v1/modules?limit=4', late = 0; typeof url === 'string'; late++) {
    const page = await server.anonymous.get(url);
    seen.push(...ids(page.body));
    if (late < 5) await publish(admin, `acme/late${late}/aws/1.0.0`, `acme/n0/aws/1.${late + 1}.0`);
    url = (page.body['meta'] as Wire)['next_url'];
  }
  const addresses = seen.map((id) => String(id).split('/')[1]);
  expect(addresses).toEqual([...names, ...[0, 1, 2, 3, 4].map((late) => `late${late}`)]);
  expect(((await server.anonymous.get('/v1/modules?limit=1000')).body['meta'] as Wire)['limit']).toBe(100);
  for (const bad of ['limit=0', 'limit=-1', 'limit=x', 'offset=-1', 'offset=1.5'])
    expect((await server.anonymous.get(`/v1/modules?${bad}`)).status, bad).toBe(400);
});

test('filters lists and searches', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await publish(
    admin,
    `${net}/1.0.0`,
    'acme/net/google/1.0.0?description=Peering+100%25',
    'other/disk/aws/1.0.0',
  );
  await admin.put(at('other/disk/aws/verified'), { verified: true });
  const found = async (path: string) =>
    ids((await server.anonymous.get(path)).body).map((id) => String(id).replace('/1.0.0', ''));
  expect(await found('/v1/modules?provider=google')).toEqual(['acme/net/google']);
  expect(await found('/v1/modules?verified=true')).toEqual(['other/disk/aws']);
  expect(await found('/v1/modules?verified=1')).toHaveLength(3);
  expect(await found('/v1/modules/acme/net')).toEqual([net, 'acme/net/google']);
  expect(await found('/v1/modules/ACME?provider=aws')).toEqual([net]);
  expect(await found('/v1/modules/search?q=NET')).toEqual([net, 'acme/net/google']);
  expect(await found('/v1/modules/search?q=aws+acme')).toEqual([net]);
  expect(await found('/v1/modules/search?q=100%25')).toEqual(['acme/net/google']);
  expect(await found('/v1/modules/search?q=aws&namespace=other&verified=true')).toEqual(['other/disk/aws']);
  expect(await found('/v1/modules/search?q=zzz')).toEqual([]);
  expect(await found('/v1/modules/search?q=a+c+m+e+n+t+w+s+A')).toEqual([net]);
  expect(await errorsOf(server.anonymous.get('/v1/modules/search?q=a+c+m+e+n+t+w+s+x'))).toEqual({
    status: 400,
    errors: ['q has more than 8 words'],
  });
  expect(await errorsOf(server.anonymous.get('/v1/modules/search?q='))).toEqual({
    status: 400,
    errors: ['Query string must be specified'],
  });
  expect(await errorsOf(server.anonymous.get('/v1/modules/acme/none'))).toEqual({
    status: 404,
    errors: ['Module not found'],
  });
});

test('finds or leaves out deprecated and revoked modules', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  for (const name of ['good', 'old', 'bad', 'back', 'gone'])
    await publish(operator, `acme/${name}/aws/1.0.0`, `acme/${name}/aws/1.1.0`);
  const say = (path: string, state: string) =>
    operator.put(at(`acme/${path}/deprecation`), { state, message: 'No more.' });
  // Only the latest version counts; if it is revoked, the previous one becomes the latest.
  await say('good/aws/1.0.0', 'deprecated');
  await say('old/aws/1.1.0', 'deprecated');
  for (const version of ['1.0.0', '1.1.0']) await say(`bad/aws/${version}`, 'revoked');
  await say('back/aws/1.1.0', 'revoked');
  const admin = await server.as('administrator');
  for (const version of ['1.0.0', '1.1.0']) await admin.delete(at(`acme/gone/aws/${version}`));
  const found = async (path: string) =>
    ids((await server.anonymous.get(`/v1/modules${path}`)).body).map((id) => String(id).replace('acme/', ''));
  expect(await found('?deprecated=true')).toEqual(['old/aws/1.1.0', 'bad/aws/1.1.0']);
  expect(await found('?deprecated=false')).toEqual(['good/aws/1.1.0', 'back/aws/1.0.0']);
  const usable = ['good/aws/1.1.0', 'old/aws/1.1.0', 'back/aws/1.0.0'];
  expect(await found('')).toEqual(usable);
  expect(await found('?deprecated=constructor')).toEqual(usable);
  expect(await found('/search?q=acme&deprecated=true&provider=aws')).toEqual([
    'old/aws/1.1.0',
    'bad/aws/1.1.0',
  ]);
  expect(await found('/search?q=old&deprecated=false')).toEqual([]);
});

test('refuses a change if the record has changed since the client saw it', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  await publish(admin, `${net}/1.0.0`, `${net}/1.1.0`);
  const version = at(`${net}/1.0.0`);
  const tag = async () => (await admin.get(version)).headers.get('etag') ?? '';
  const guarded = (method: string, path: string, seen: string, body?: unknown) =>
    admin.send(method, path, body, { 'if-match': seen });
  const revoked = { state: 'revoked', message: 'It opens the firewall.' };
  const first = await tag();

  const done = await guarded('PUT', `${version}/deprecation`, first, revoked);
  expect([done.status, done.headers.get('etag')]).toEqual([200, await tag()]);
  const before = (await admin.get(version)).body;
  for (const [method, path, body] of [
    ['PUT', `${version}/deprecation`, { ...revoked, state: 'deprecated' }],
    ['DELETE', `${version}/deprecation`, undefined],
    ['DELETE', version, undefined],
  ] as const) {
    for (const seen of [first, '"0.0"', 'anything']) {
      const refused = await guarded(method, path, seen, body);
      expect([refused.status, refused.body], method).toEqual([
        412,
        { errors: ['Someone else changed the version at the same time'], present: before },
      ]);
    }
  }
  expect((await admin.get(version)).body).toEqual(before);

  // Downloads, other versions and changes of the module don't block a change of a version, nor the reverse.
  const second = await tag();
  await (await fetchModule(server, admin, `${net}/1.0.0`)).arrayBuffer();
  await publish(admin, `${net}/1.2.0`);
  expect(await tag()).toBe(second);
  const verified = at(`${net}/verified`);
  expect((await guarded('PUT', verified, first, { verified: true })).status).toBe(200);
  const late = await guarded('PUT', verified, second, { verified: false });
  expect([late.status, late.body]).toEqual([
    412,
    { errors: ['Someone else changed the module at the same time'], present: { verified: true } },
  ]);
  expect((await guarded('DELETE', `${version}/deprecation`, second)).status).toBe(200);
  // The version has its first state again, so the first tag matches; `*` or no tag matches any state.
  expect((await guarded('DELETE', version, first)).status).toBe(204);
  expect((await guarded('PUT', at(`${net}/1.1.0/deprecation`), '*', revoked)).status).toBe(200);
  expect((await admin.delete(at(`${net}/1.1.0`))).status).toBe(204);
});

test('lets one of twenty writers with the same ETag change a version', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await publish(operator, `${net}/1.0.0`);
  const version = at(`${net}/1.0.0`);
  const seen = (await operator.get(version)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      operator.send(
        'PUT',
        `${version}/deprecation`,
        { state: 'deprecated', message: `because ${index}` },
        { 'if-match': seen },
      ),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
});

test('counts a download when the archive is fetched, for the token that requested the URL', async () => {
  await using server = await startServer();
  const operator = await server.as('operator', 'ci');
  // A prerelease doesn't count as a newer version.
  await publish(operator, `${net}/1.0.0`, `${net}/1.1.0`, `${net}/2.0.0-beta.1`);
  for (const path of [net, `${net}/1.0.0`, `${net}/versions`, `${net}/1.0.0/download`])
    await operator.get(at(path));
  const count = async (): Promise<unknown> => (await operator.get(at(net))).body['downloads'];
  expect(await count()).toBe(0);
  for (const client of [operator, operator, server.anonymous])
    await (await fetchModule(server, client, `${net}/1.0.0`)).arrayBuffer();
  await expect.poll(count).toBe(3);
  server.clock.advance(20 * 24 * 60 * 60 * 1000);
  await (await fetchModule(server, operator, `${net}/1.1.0`)).arrayBuffer();
  await expect.poll(count).toBe(4);
  expect((await server.anonymous.get(`/v2/modules/${net}/downloads/summary`)).body).toEqual({
    data: {
      type: 'module-downloads-summary',
      id: net,
      attributes: { week: 1, month: 4, year: 4, total: 4 },
    },
  });
  expect((await server.anonymous.get(`/v2/modules/${net}/downloads/daily`)).body).toEqual({
    meta: { since: '2025-10-24' },
    data: [
      { date: '2026-01-01', version: '1.0.0', count: 3 },
      { date: '2026-01-21', version: '1.1.0', count: 1 },
    ],
  });
  expect((await server.anonymous.get(`/v2/modules/${net}/downloads/daily?days=0`)).status).toBe(400);
  const { body } = await operator.get(at(`${net}/consumers`));
  const consumer = { token: 'ci', owner: 'operator', token_id: expect.stringMatching(/^tok_/) };
  expect(body['consumers']).toEqual([
    { ...consumer, version: '1.1.0', downloads: 1, last_fetched_at: '2026-01-21T00:00:00.000Z', behind: 0 },
    { ...consumer, version: '1.0.0', downloads: 2, last_fetched_at: '2026-01-01T00:00:00.000Z', behind: 1 },
  ]);
});

test('issues, lists and revokes tokens, and voids them when the password changes', async () => {
  await using server = await startServer();
  const first = await server.as('operator', 'laptop');
  const second = await server.as('operator', 'ci');
  const { body } = await first.get('/v1/tokens');
  const tokens = body['tokens'] as Wire[];
  expect(new Map(tokens.map((token) => [token['description'], token['current']]))).toEqual(
    new Map([
      ['ci', false],
      ['laptop', true],
    ]),
  );
  expect((await first.get('/v1/tokens/self')).body).toMatchObject({ username: 'operator', role: 'operator' });
  const other = tokens.find((token) => token['description'] === 'ci');
  const stranger = await server.as('administrator');
  expect((await stranger.delete(`/v1/tokens/${String(other?.['id'])}`)).status).toBe(404);
  expect((await first.delete(`/v1/tokens/${String(other?.['id'])}`)).status).toBe(204);
  expect((await second.get('/v1/tokens')).status).toBe(401);
  const account = server.accounts.getByLoginName('operator');
  await server.accounts.setPassword(account?.id ?? '', 'another password');
  expect((await first.get('/v1/tokens')).status).toBe(401);
  expect((await stranger.delete('/v1/tokens/self')).status).toBe(204);
  expect((await stranger.get('/v1/tokens')).status).toBe(401);
  for (const [body, status] of [
    [{ username: 'admin', password: 'wrong password' }, 401],
    [{ username: 'nobody', password: testPassword }, 403],
    [{ username: 'admin' }, 400],
    [{ username: 7, password: 'x' }, 400],
    [[], 400],
  ] as const)
    expect((await server.anonymous.post('/v1/tokens', body)).status).toBe(status);
});

test('answers unknown paths, wrong methods and exceeded limits with errors', async () => {
  await using server = await startServer({ rateLimit: { requests: { burst: 8, perSecond: 1 } } });
  expect(await errorsOf(server.anonymous.get('/v1/modules/a/b/c/versions'))).toEqual({
    status: 404,
    errors: ['Module not found'],
  });
  for (const path of [
    '/',
    '/v3',
    '/v1/modules/a/b/c/download',
    '/v1/modules/a/b/c/1.0.0/download',
    '/v2/modules/a/b/c/downloads/summary',
  ])
    expect((await server.anonymous.get(path)).status, path).toBe(404);
  const wrong = await server.anonymous.send('PATCH', '/v1/modules');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
  expect((await server.anonymous.get('/health')).status).toBe(200);
  expect((await server.anonymous.get('/v1/modules/%zz')).status).toBe(400);
  await server.anonymous.get('/v1/modules');
  const refused = await server.anonymous.get('/v1/modules');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
});

test("doesn't let other requests of an address prevent sign-ins there, or reads prevent writes", async () => {
  await using server = await startServer({ rateLimit: { requests: { burst: 1, perSecond: 1 } } });
  const statuses = async (ask: () => Promise<{ readonly status: number }>) => [
    (await ask()).status,
    (await ask()).status,
  ];
  expect(await statuses(() => server.anonymous.get('/v1/modules'))).toEqual([200, 429]);
  expect(await statuses(() => server.anonymous.put(at(`${net}/1.0.0`)))).toEqual([401, 429]);
  const user = { username: 'operator', password: testPassword };
  for (const path of ['/v1/tokens', '/v1/tokens/'])
    expect(await statuses(() => server.anonymous.post(path, user))).toEqual([201, 201]);
});

test('keeps everything over a restart, and deletes unreferenced archives', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await publish(operator, `${net}/1.0.0`);
  const { body } = await operator.get(at(net));
  const folder = join(server.dataDir, 'module-archives');
  await server.restart(async () => {
    const left = crypto.randomUUID();
    writeFileSync(join(folder, 'archives', left), 'of a publish that stopped');
    writeFileSync(join(folder, 'incoming', crypto.randomUUID()), 'of another');
    using db = new DatabaseSync(join(server.dataDir, 'module-registry.db'));
    db.prepare('INSERT INTO leftover VALUES (?)').run(left);
  });
  expect(kept(server)).toHaveLength(1);
  expect((await operator.get(at(net))).body).toEqual(body);
  expect((await fetchModule(server, operator, `${net}/1.0.0`)).status).toBe(200);
});

test('keeps archives when the registry starts without its database, which returns later', async () => {
  await using server = await startServer();
  const operator = await server.as('operator');
  await publish(operator, `${net}/1.0.0`);
  const file = join(server.dataDir, 'module-registry.db');
  await server.restart(async () => renameSync(file, `${file}.away`));
  await publish(await server.as('operator'), `${net}/2.0.0`);
  await server.restart(async () => renameSync(`${file}.away`, file));
  expect((await fetchModule(server, operator, `${net}/1.0.0`)).status).toBe(200);
  expect(kept(server)).toHaveLength(2);
});

test('deletes tokens that became void while the registry was stopped, but not those of missing accounts', async () => {
  await using server = await startServer();
  const { accounts } = server;
  await accounts.create({ loginName: 'missing', password: testPassword, roles: { modules: 'operator' } });
  const missing = await signIn(server.url, 'missing');
  for (const role of ['operator', 'read-only', 'administrator'] as const) await server.as(role);
  let restore = (): void => undefined;
  const [removed, disabled] = ['operator', 'read-only'].map((name) => accounts.getByLoginName(name)!);
  await server.restart(async () => {
    await accounts.remove(removed!.id);
    await accounts.update(disabled!.id, disabled!.version, { disabled: true });
    restore = withdrawAccounts(join(server.dataDir, 'accounts.db'), ['missing']);
  });
  expect((await missing.get('/v1/tokens')).status).toBe(401);
  restore();
  expect((await missing.get('/v1/tokens')).status).toBe(200);
  using db = new DatabaseSync(join(server.dataDir, 'module-registry.db'));
  const left = db.prepare('SELECT DISTINCT account_id AS id FROM token').all();
  const idOf = (name: string) => ({ id: accounts.getByLoginName(name)?.id });
  expect(new Set(left)).toEqual(new Set([idOf('admin'), idOf('missing')]));
});

test('refuses what a demoted user or administrator sent before, but is written after', async () => {
  await using server = await startServer();
  const admin = await server.as('administrator');
  const operator = await server.as('operator');
  await publish(operator, `${net}/1.0.0`);
  await server.accounts.create({
    loginName: 'second',
    password: testPassword,
    roles: { modules: 'administrator' },
  });
  const second = await signIn(server.url, 'second');
  const late: readonly (readonly [string, () => Promise<{ status: number }>])[] = [
    ['operator', () => operator.publish(`${net}/2.0.0`, smallModule())],
    ['operator', () => operator.put(at(`${net}/1.0.0/deprecation`), { state: 'revoked', message: 'x' })],
    ['second', () => second.put(at(`${net}/verified`), { verified: true })],
    ['second', () => second.delete(at(`${net}/1.0.0`))],
  ];
  const before = (await admin.get(at(`${net}/1.0.0`))).text;
  for (const [loginName, request] of late) {
    const held = holdNextWrite();
    const answer = request();
    await held;
    const account = server.accounts.getByLoginName(loginName);
    const { id = '', version = 0, roles } = account ?? {};
    const demoted = await server.accounts.update(id, version, { roles: { modules: 'read-only' } });
    // Any other write.
    await server.as('administrator');
    expect((await answer).status).toBe(403);
    await server.accounts.update(id, demoted.version, { roles: roles ?? {} });
  }
  expect((await admin.get(at(`${net}/1.0.0`))).text).toBe(before);
  expect(kept(server)).toHaveLength(1);
});

test.each([
  ['whose role is removed', { roles: { modules: null } }],
  ['whose account is disabled', { disabled: true }],
] as const)("the list of a module's consumers ends for a user %s", async (_, change) => {
  await using server = await startServer();
  const operator = await server.as('operator');
  const reader = await server.as('read-only');
  await publish(operator, `${net}/1.0.0`);
  // The list also records the use of its token.
  server.clock.advance(24 * 60 * 60_000);
  const held = holdNextSlice();
  const answer = reader.get(at(`${net}/consumers`));
  const release = await held;
  const { id = '', version = 0 } = server.accounts.getByLoginName('read-only') ?? {};
  await server.accounts.update(id, version, change);
  release();
  expect((await answer).status).toBe(401);
});
