import { brotliDecompressSync } from 'node:zlib';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { createApp } from '@gatehouse/service-kit/http';
import { listen, type Listening } from '@gatehouse/service-kit/service';
import { Pool } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#api/operations.ts';
import { sendCompressed } from './compression.ts';

const list = { items: Array.from({ length: 100 }, (_, index) => ({ name: `Ünïcode ${index}` })) };
let server: Listening;
let pool: Pool;

beforeAll(async () => {
  const app = createApp();
  app.get('/list', (req, res) => sendCompressed(req, res, list));
  app.get('/short', (req, res) => sendCompressed(req, res, { items: [] }));
  server = await listen(app, { host: '127.0.0.1', port: 0 });
  pool = new Pool(server.address);
});
afterAll(async () => {
  await pool.destroy();
  await server.drain(0);
});

async function get(path: string, encodings: string) {
  const { headers, body } = await pool.request({
    method: 'GET',
    path,
    headers: { 'accept-encoding': encodings },
  });
  return { headers, bytes: Buffer.from(await body.arrayBuffer()) };
}

test('compresses a list for browsers that accept it, and sets Vary', async () => {
  const { headers, bytes } = await get('/list', 'gzip, deflate, br');
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(bytes.length),
    vary: 'Accept-Encoding',
  });
  expect(JSON.parse(brotliDecompressSync(bytes).toString())).toEqual(list);
});

test.each([
  ['for who does not take it', '/list', 'gzip, br;q=0'],
  ['where it is short', '/short', 'br'],
])('sends a list uncompressed %s', async (_, path, encodings) => {
  const { headers, bytes } = await get(path, encodings);
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['vary']).toBe('Accept-Encoding');
  expect(JSON.parse(bytes.toString())).toHaveProperty('items');
});

test('compresses only lists, none of which contains a secret', () => {
  const compressed = Object.entries(operations).flatMap(([name, { isCompressed }]) =>
    isCompressed ? [name] : [],
  );
  // All lists of collections, none of which contains secrets, and these.
  const others = [
    'accessSessions.list',
    'boxes.search',
    'replication.listLostWrites',
    'replicationSecondaries.previewFilter',
    'secrets.listFolder',
    'plugins.list',
    'cloudRoles.list',
    'modules.search',
    'modules.get',
    'modules.downloads',
    'modules.consumers',
    // Everyone who may fetch the archive can read what it declares.
    'moduleVersions.get',
  ];
  const collections = allEndpoints.flatMap((endpoint) =>
    'container' in endpoint ? [endpoint.name as string] : [],
  );
  expect(collections.length).toBeGreaterThan(7);
  expect(new Set(compressed)).toEqual(new Set([...collections, ...others]));
});
