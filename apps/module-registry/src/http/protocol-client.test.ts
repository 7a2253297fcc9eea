import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { archive, smallModule } from '@gatehouse/module-archive/testing/archives';
import { afterEach, expect, test } from 'vitest';
import { resolveModule } from '../testing/protocol-client.ts';
import { startServer } from '../testing/server.ts';

let standIn: Server | undefined;
afterEach(() => standIn?.close());

/** A host with the given answers by path. */
async function host(answers: Readonly<Record<string, Answer>>): Promise<string> {
  standIn = createServer((req, res) => {
    const answer = answers[req.url ?? ''];
    if (answer === undefined) res.writeHead(404).end();
    else answer(req, res);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => standIn?.once('listening', resolve));
  return `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
}

type Answer = (req: IncomingMessage, res: ServerResponse) => void;
const json =
  (body: unknown): Answer =>
  (_req, res) =>
    void res.setHeader('content-type', 'application/json').end(JSON.stringify(body));

test.each([
  ['', '3.0.0'],
  ['1.2.0', '1.2.0'],
  ['= 1.2.0', '1.2.0'],
  ['~> 1.2', '1.10.1'],
  ['~> 1.2.0', '1.2.3'],
  ['>= 1.2.0, < 1.10.0', '1.2.3'],
  ['>= 1.0, != 3.0.0, != 2.0.0', '1.10.1'],
  ['> 1.10.1, <= 2.0.0', '2.0.0'],
  // Prereleases must be named exactly; no range includes them.
  ['4.0.0-beta.1', '4.0.0-beta.1'],
  ['>= 3.0.0', '3.0.0'],
])(
  'a client that follows the protocol resolves "%s" to %s and gets that archive',
  async (constraint, wanted) => {
    await using server = await startServer();
    const operator = await server.as('operator');
    const versions = ['1.0.0', '1.2.0', '1.10.1', '1.2.3', '2.0.0', '3.0.0', '4.0.0-beta.1'];
    for (const version of versions)
      expect(
        (await operator.publish(`acme/net/aws/${version}`, archive({ 'main.tf': `# ${version}\n` }))).status,
      ).toBe(201);
    const resolved = await resolveModule(server.url, 'acme/net/aws', constraint);
    expect(resolved.version).toBe(wanted);
    expect(gunzipSync(resolved.archive).toString('latin1')).toContain(`# ${wanted}\n`);
  },
);

test('a client finds no version for an unmet constraint, warns of a revoked one, and has its token counted', async () => {
  await using server = await startServer();
  const operator = await server.as('operator', 'pipeline');
  for (const version of ['1.0.0', '1.1.0']) await operator.publish(`acme/net/aws/${version}`, smallModule());
  await operator.put('/v1/modules/acme/net/aws/1.1.0/deprecation', {
    state: 'revoked',
    message: 'It opens the firewall.',
    replacement: '1.0.0',
  });
  await expect(resolveModule(server.url, 'acme/net/aws', '~> 2.0')).rejects.toThrow('no version matches');
  await expect(resolveModule(server.url, 'acme/none/aws', '')).rejects.toThrow('404');
  const pinned = await resolveModule(server.url, 'acme/net/aws', '1.1.0', operator.token);
  expect(pinned.warning).toBe('Revoked: It opens the firewall. Use 1.0.0 instead.');
  const consumers = async () => (await operator.get('/v1/modules/acme/net/aws/consumers')).body['consumers'];
  await expect.poll(consumers).toMatchObject([{ token: 'pipeline', version: '1.1.0', downloads: 1 }]);
});

const versions = '/api/modules/v1/acme/net/aws/versions';
const download = '/api/modules/v1/acme/net/aws/1.0.0/download';

test.each([
  ['X-Terraform-Get', '/archives/net.tar.gz', '/archives/net.tar.gz'],
  ['X-Registry-Get', '/archives/net.tar.gz?x=1', '/archives/net.tar.gz?x=1'],
  ['X-Terraform-Get', './net.tar.gz', '/api/modules/v1/acme/net/aws/1.0.0/net.tar.gz'],
  ['X-Terraform-Get', '../net.tar.gz', '/api/modules/v1/acme/net/aws/net.tar.gz'],
  ['X-Registry-Get', '../../../../../../../../net.tar.gz', '/net.tar.gz'],
])("the test's client takes a location from %s: %s is %s", async (header, location, path) => {
  const bytes = smallModule();
  const url = await host({
    '/.well-known/terraform.json': json({ 'modules.v1': '/api/modules/v1/' }),
    [versions]: json({ modules: [{ versions: [{ version: '1.0.0' }] }] }),
    [download]: (_req, res) => void res.writeHead(204, { [header]: location }).end(),
    // Tokens are sent only to the registry.
    [path]: (req, res) => void res.writeHead(req.headers.authorization === undefined ? 200 : 403).end(bytes),
  });
  const { archive: got } = await resolveModule(url, 'acme/net/aws', '~> 1.0', 'token');
  expect(Buffer.from(got).equals(bytes)).toBe(true);
});
