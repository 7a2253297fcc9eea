import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { countTurns } from '@gatehouse/service-kit/testing/turn-counter';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundaryController, boundaryPassword, type BoundaryController } from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole, type TestConsole } from '#test/console.ts';

const script = `export const text = '${'long '.repeat(1000)}';`;
let folder: TemporaryFolder;
let controller: BoundaryController;
let console: TestConsole;
let pool: Pool;

beforeAll(async () => {
  folder = temporaryFolder();
  mkdirSync(folder.file('assets'));
  mkdirSync(folder.file('.vite'));
  writeFileSync(
    folder.file('index.html'),
    '<!doctype html>\n  <head><title>Gatehouse</title><script src="/begin.js"></script><script src="/assets/entry.js"></script>\n  </head>',
  );
  writeFileSync(folder.file('assets/main-Ab3_x-9Z.js'), script);
  writeFileSync(folder.file('assets/main-Ab3_x-9Z.js.map'), '{}');
  writeFileSync(folder.file('assets/file-hasher.worker-Ab3_x-9Z.js'), 'export {};');
  writeFileSync(folder.file('assets/Ab3_x-9.js'), 'export {};');
  writeFileSync(folder.file('favicon.svg'), '<svg/>');
  writeFileSync(folder.file('.vite/manifest.json'), '{}');
  writeFileSync(
    folder.file('.vite/first-visits.json'),
    JSON.stringify(
      [
        { path: '/$environment/route', kind: 'shell', files: ['assets/shell.js', 'assets/page.css'] },
        { path: '/$environment/boxes/$name', kind: 'record', files: ['assets/shell.js', 'assets/box.js'] },
        { path: '/$environment/boxes/new', kind: 'record', files: ['assets/shell.js', 'assets/new-box.js'] },
        {
          path: '/$environment/folder/$',
          kind: 'list',
          files: ['assets/entry.js', 'assets/folder.js'],
          rows: ['/api/$environment/folder?path=$_splat&size=5', '/api/may'],
        },
        {
          path: '/$environment/both',
          kind: 'list',
          files: ['assets/entry.js'],
          always: [
            '/api/environments/$environment/access/targets',
            '/api/environments/$environment/secrets/mounts',
          ],
          rows: ['/api/environments/$environment/boxes', '/api/environments/$environment/activity'],
        },
        { path: '/sign-in', kind: 'sign-in', files: ['assets/entry.js'], always: ['/api/options'] },
      ].map((visit) => ({ always: ['/api/session'], rows: [], ...visit })),
    ),
  );
  controller = await boundaryController();
  console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    bff: { webRoot: folder.path },
  });
  pool = new Pool(console.origin);
});
afterAll(async () => {
  await pool.destroy();
  await console.close();
  await controller.close();
  folder[Symbol.dispose]();
});

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await pool.request({ method, path, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  };
}
const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };

test('sends the page with all security headers', async () => {
  const { status, headers, bytes } = await get('/', navigation);
  expect(status).toBe(200);
  expect(bytes.toString()).toContain('<title>Gatehouse');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  const policy = String(headers['content-security-policy']).split('; ');
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ]) {
    expect(policy).toContain(part);
  }
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
});

test("names each script of an address's page once in the document", async () => {
  const scripts = async (path: string): Promise<readonly string[]> => {
    const html = (await get(path, navigation)).bytes.toString();
    return [...html.matchAll(/<link rel="modulepreload" crossorigin href="\/assets\/(.+?)\.js">/g)].map(
      ([, name = '']) => name,
    );
  };
  expect(await scripts('/local/boxes/one')).toEqual(['shell', 'box']);
  expect(await scripts('/local/boxes/new')).toEqual(['shell', 'new-box']);
  expect(await scripts('/local/folder')).toEqual(['folder']);
  expect(await scripts('/local/folder/a/b%20c/')).toEqual(['folder']);
  for (const other of ['/', '/local/boxes', '/local/boxes/one/two', '/nowhere/at/all']) {
    expect(await scripts(other), other).toEqual(['shell']);
  }
});

/** The first requests in the document of an address. */
async function told(visitor: Browser, path: string): Promise<string | undefined> {
  const { text } = await visitor.send('GET', path, { headers: navigation });
  return /<script src="\/begin.js"(.*?)>/.exec(text)?.[1];
}

test("names the first requests of an address's page in a signed-in user's document", async () => {
  const person = console.browser();
  await signInAs(person, 'admin', boundaryPassword);
  expect(await told(person, '/local/folder/a')).toBe(
    ' data-route="/$environment/folder/$" data-always="/api/session"' +
      ' data-rows="/api/$environment/folder?path=$_splat&amp;size=5 /api/may"',
  );
  expect(await told(person, '/nowhere/at/all')).toBe(
    ' data-route="/$environment/route" data-always="/api/session" data-rows=""',
  );
});

test("requests nothing from services that the environment doesn't have", async () => {
  const person = console.browser();
  await signInAs(person, 'admin', boundaryPassword);
  expect(await told(person, '/test/both')).toBe(
    ' data-route="/$environment/both" data-always="/api/environments/$environment/access/targets"' +
      ' data-rows="/api/environments/$environment/activity"',
  );
  // The page reports an unconfigured environment.
  expect(await told(person, '/other/both')).toContain('secrets/mounts');
});

test("requests nothing for users who aren't signed in, except on the sign-in page", async () => {
  const nothing = ' data-route="/$environment/folder/$" data-always="" data-rows=""';
  const visitor = console.browser();
  expect(await told(visitor, '/local/folder/a')).toBe(nothing);
  visitor.cookie = `gatehouse-${new URL(console.origin).port}=${'a'.repeat(43)}`;
  expect(await told(visitor, '/local/folder/a')).toBe(nothing);
  expect(await told(visitor, '/sign-in')).toBe(
    ' data-route="/sign-in" data-always="/api/options" data-rows=""',
  );
});

test('revalidates a document by its own tag', async () => {
  const { headers } = await get('/local/boxes/one', navigation);
  const again = { ...navigation, 'if-none-match': String(headers['etag']) };
  expect((await get('/local/boxes/two', again)).status).toBe(304);
  expect((await get('/local/folder', again)).status).toBe(200);
});

test('lets only the checksum worker compile WebAssembly', async () => {
  const worker = await get('/assets/file-hasher.worker-Ab3_x-9Z.js');
  expect(worker.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  );
  expect(worker.headers['x-content-type-options']).toBe('nosniff');
  for (const path of ['/assets/main-Ab3_x-9Z.js', '/assets/Ab3_x-9.js']) {
    expect(String((await get(path)).headers['content-security-policy'])).not.toContain('unsafe');
  }
});

test('answers routes of the page with index.html for navigations only', async () => {
  expect((await get('/local/targets/ttcp_1?tab=x', navigation)).status).toBe(200);
  expect((await get('/local/targets/name.with.dots', navigation)).status).toBe(200);
  expect((await get('/local/targets', { accept: 'text/html' })).status).toBe(200);
  for (const headers of [
    { 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-mode': 'no-cors' },
    { accept: 'application/json' },
    {},
  ] as Record<string, string>[]) {
    expect((await get('/local/targets', headers)).status).toBe(404);
  }
});

test('caches hashed files forever, and revalidates others', async () => {
  const hashed = await get('/assets/main-Ab3_x-9Z.js');
  expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(hashed.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect((await get('/assets/Ab3_x-9.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  );
  const icon = await get('/favicon.svg');
  expect(icon.headers['cache-control']).toBe('no-cache');
  expect((await get('/favicon.svg', { 'if-none-match': String(icon.headers['etag']) })).status).toBe(304);
});

test.each(['/assets/main-Ab3_x-9Z.js', '/api/openapi.json'])(
  "answers each of many strangers' requests for %s in a turn",
  async (path) => {
    const { port, host } = new URL(console.origin);
    const sockets = Array.from({ length: 50 }, () => connect(Number(port), '127.0.0.1'));
    const ask = (socket: Socket, asked: string) => {
      socket.write(
        `GET ${asked} HTTP/1.1\r\nHost: ${host}\r\nx-gatehouse: console\r\nsec-fetch-site: same-origin\r\n\r\n`,
      );
      return once(socket, 'data');
    };
    // Connections are accepted in turns of their own.
    await Promise.all(sockets.map((socket) => ask(socket, '/healthz')));
    using counter = countTurns();
    try {
      const turns = await Promise.all(
        sockets.map(async (socket) => {
          await ask(socket, path);
          return counter.turn;
        }),
      );
      expect(new Set(turns).size).toBeGreaterThan(25);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
);

test('compresses files as the browser accepts', async () => {
  const br = await get('/assets/main-Ab3_x-9Z.js', { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(br.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(br.bytes).toString()).toBe(script);
  const gzip = await get('/assets/main-Ab3_x-9Z.js', { 'accept-encoding': 'gzip, br;q=0' });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.bytes).toString()).toBe(script);
  const plain = await get('/assets/main-Ab3_x-9Z.js');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.bytes.toString()).toBe(script);
  expect(plain.headers['vary']).toBe('Accept-Encoding');
});

test('answers 404 for missing files, hidden files, source maps and paths outside, also for navigations to files', async () => {
  for (const path of [
    '/assets/gone-12345678.js',
    '/assets/main-Ab3_x-9Z.js.map',
    '/.vite/manifest.json',
    '/../package.json',
    '/%2e%2e/package.json',
    '/assets/',
    '/assets/gone-12345678.css',
  ]) {
    expect((await get(path)).status, path).toBe(404);
  }
  for (const gone of ['js', 'css', 'svg']) {
    expect((await get(`/assets/gone-12345678.${gone}`, navigation)).status).toBe(404);
  }
});

test('refuses other methods, and sends no body for HEAD', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await get('/', navigation, method);
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe('GET, HEAD');
  }
  const head = await get('/', navigation, 'HEAD');
  expect(head.status).toBe(200);
  expect(head.bytes.length).toBe(0);
});

test('refuses another Host before it serves any file', async () => {
  expect((await get('/', { ...navigation, host: 'evil.example' })).status).toBe(421);
});
