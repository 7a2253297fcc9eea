import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from './service.ts';
import type { Listening } from './service.ts';

let server: Listening;
beforeAll(async () => {
  server = await listen((_req, res) => void res.end('here'), {
    host: '127.0.0.1',
    port: 0,
    names: ['Registry.example'],
  });
});
afterAll(() => server.drain(0));

const statusUnder = (host: string): Promise<number | undefined> => {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const asked = request(server.address, { headers: { host } }, (answer) => {
    answer.resume();
    answer.once('end', () => resolve(answer.statusCode));
  });
  asked.once('error', reject);
  asked.end();
  return promise;
};

test.each([
  'localhost',
  'LOCALHOST:8200',
  'console.localhost:1',
  '127.0.0.1',
  '127.0.0.1:65535',
  '127.9.9.9',
  '[::1]',
  '[::1]:8300',
  'registry.example',
  'REGISTRY.example:443',
])('%s leads here', async (host) => expect(await statusUnder(host)).toBe(200));

test.each([
  'evil.example',
  'evil.example:8200',
  'registry.example.evil.example',
  'localhost.evil.example',
  '10.0.0.1',
  '127.0.0.1.evil.example',
  '127.evil.example',
  '128.0.0.1',
  ':8200',
  '0.0.0.0',
  '[::]',
  'registry.example:8200:1',
])('%s is refused', async (host) => expect(await statusUnder(host)).toBe(421));
