import { request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpError } from './http-error.ts';
import { listen } from './service.ts';
import type { Listening } from './service.ts';

let handled = 0;
let server: Listening;
beforeAll(async () => {
  const service = {
    name: 'boxes',
    version: '',
    handler: (_req: IncomingMessage, res: ServerResponse) => {
      handled += 1;
      res.end('here');
    },
    errorBody: ({ message }: HttpError) => ({ own: message }),
    ready: () => Promise.resolve(true),
    close: () => Promise.resolve(),
  } as const;
  server = await listen(service, { host: '127.0.0.1', port: 0, names: ['Registry.example'] });
});
afterAll(() => server.drain(0));

async function answerTo(headers: OutgoingHttpHeaders, body = ''): Promise<[number | undefined, string]> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(server.address, { method: 'POST', headers }, resolve).once('error', reject).end(body);
  const answer = await promise;
  return [answer.statusCode, await text(answer)];
}
const statusUnder = async (host: string) => (await answerTo({ host }))[0];

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
])('accepts the host name %s', async (host) => expect(await statusUnder(host)).toBe(200));

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
])('refuses the host name %s', async (host) => expect(await statusUnder(host)).toBe(421));

const host = 'registry.example:8300';
test.each<OutgoingHttpHeaders>([
  {},
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin', origin: `http://${host}` },
  { origin: `https://${host}` },
])("answers requests that no other site's page sent: %o", async (headers) => {
  expect(await answerTo({ host, ...headers })).toEqual([200, 'here']);
});

test.each<OutgoingHttpHeaders>([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  { origin: 'https://evil.example' },
  { origin: 'http://registry.example' },
  { origin: 'http://registry.example:8080' },
  { origin: `http://${host}.evil.example` },
  { origin: 'null' },
  { origin: '' },
])("refuses requests from another site's page, in the service's error format: %o", async (headers) => {
  const before = handled;
  const refusal =
    'Requests from web pages of other sites are refused. Use the console or a command line instead.';
  expect(await answerTo({ host, ...headers }, 'a body')).toEqual([403, JSON.stringify({ own: refusal })]);
  expect(handled).toBe(before);
});
