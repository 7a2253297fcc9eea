import { readFileSync } from 'node:fs';
import { dsaOf, pemOf } from '@gatehouse/service-kit/testing/der';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blamedFields, startController } from '../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../testing/controller.ts';
import { startForeignServer } from '../testing/foreign-server.ts';
import { generatedProject } from '../testing/sources.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../testing/certificate/${name}`, import.meta.url), 'utf8');
/** A self-signed certificate for `localhost`. */
const cert = read('localhost.crt');
const key = read('localhost.key');

let controller: TestController;
let operator: Client;
beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
});
afterAll(() => controller[Symbol.asyncDispose]());

const create = (attributes: Wire): Promise<Answer> =>
  operator.post('/v1/credential-stores', {
    scope_id: generatedProject,
    type: 'vault',
    attributes: { token: 'a-token', ...attributes },
  });

test("checks a server's certificate against the store's certificate authority and server name", async () => {
  await using server = await startForeignServer({ cert, key });
  const unknown = await create({ address: server.url });
  expect([unknown.status, blamedFields(unknown)]).toEqual([400, ['attributes.address']]);
  expect(JSON.stringify(unknown.body)).toContain("certificate that isn't trusted");
  expect(await create({ address: server.url, ca_cert: cert })).toMatchObject({
    status: 200,
    body: { attributes: { ca_cert: cert.trim(), tls_skip_verify: false } },
  });
  const byNumber = server.url.replace('localhost', '127.0.0.1');
  expect(JSON.stringify((await create({ address: byNumber, ca_cert: cert })).body)).toContain(
    "isn't trusted",
  );
  const named = { address: byNumber, ca_cert: cert, tls_server_name: 'localhost' };
  expect((await create(named)).status).toBe(200);
  expect((await create({ ...named, tls_server_name: 'other.example' })).status).toBe(400);
  expect((await create({ address: byNumber, tls_skip_verify: true })).status).toBe(200);
});

test('refuses malformed certificates and keys together with the connection', async () => {
  await using server = await startForeignServer({ cert, key });
  const pem = (what: string): string => `-----BEGIN ${what}-----\nAAAA\n-----END ${what}-----`;
  for (const attributes of [
    { ca_cert: pem('CERTIFICATE') },
    { ca_cert: cert, client_certificate: pem('CERTIFICATE'), client_certificate_key: key },
  ]) {
    const refused = await create({ address: server.url, ...attributes });
    expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.address']]);
    expect(JSON.stringify(refused.body)).toContain('certificate');
  }
});

test('refuses a key that OpenSSL would read for minutes', async () => {
  const attributes = { address: 'https://localhost:9', ca_cert: cert, client_certificate: cert };
  const refused = await create({
    ...attributes,
    client_certificate_key: pemOf('PRIVATE KEY', dsaOf(12_000)),
  });
  expect([refused.status, blamedFields(refused)]).toEqual([400, ['attributes.client_certificate_key']]);
});

test('presents a client certificate with its key, and never returns the key', async () => {
  await using server = await startForeignServer({ cert, key, ca: cert, requestCert: true });
  const attributes = { address: server.url, ca_cert: cert };
  const without = await create(attributes);
  expect([without.status, blamedFields(without)]).toEqual([400, ['attributes.address']]);
  expect(blamedFields(await create({ ...attributes, client_certificate: cert }))).toEqual([
    'attributes.client_certificate_key',
  ]);
  const shown = { ...attributes, client_certificate: cert, client_certificate_key: key };
  const created = await create(shown);
  expect(created).toMatchObject({
    status: 200,
    body: {
      attributes: {
        client_certificate: cert.trim(),
        client_certificate_key_hmac: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      },
    },
  });
  expect(JSON.stringify(created.body)).not.toContain('PRIVATE KEY');
  const { id } = created.body;
  const cleared = await operator.patch(`/v1/credential-stores/${String(id)}`, {
    version: 1,
    attributes: { client_certificate: null, token: 'a-token' },
  });
  // The server refuses the store's connection without a client certificate.
  expect([cleared.status, blamedFields(cleared)]).toEqual([400, ['attributes.address']]);
});

test('requires token and key again with each change of where they are used', async () => {
  await using server = await startForeignServer({ cert, key, ca: cert, requestCert: true });
  await using other = await startForeignServer({ cert, key, ca: cert, requestCert: true });
  let heard = 0;
  other.fail((_req, res) => {
    heard += 1;
    res.writeHead(200).end('{}');
  });
  const tls = { ca_cert: cert, client_certificate: cert };
  const created = await create({ address: server.url, ...tls, client_certificate_key: key });
  const path = `/v1/credential-stores/${String(created.body['id'])}`;
  const changes: readonly (readonly [Wire, boolean])[] = [
    [{ address: other.url }, true],
    [{ namespace: 'team' }, true],
    [{ ca_cert: `${cert}${cert}` }, true],
    [{ ca_cert: null }, true],
    [{ tls_server_name: 'localhost' }, true],
    [{ tls_skip_verify: true }, true],
    [{ client_certificate: `${cert}${cert}` }, true],
    // Clearing the certificate also clears its key.
    [{ client_certificate: null }, false],
  ];
  for (const [attributes, keepsKey] of changes) {
    const refused = await operator.patch(path, { version: 1, attributes });
    expect([refused.status, blamedFields(refused)], JSON.stringify(attributes)).toEqual([
      400,
      [...(keepsKey ? ['attributes.client_certificate_key'] : []), 'attributes.token'],
    ]);
    if (!keepsKey) continue;
    const without = { ...attributes, token: 'a-token' };
    expect(blamedFields(await operator.patch(path, { version: 1, attributes: without }))).toEqual([
      'attributes.client_certificate_key',
    ]);
  }
  expect(heard).toBe(0);
  expect((await operator.get(path)).body).toEqual(created.body);
  const attributes = { tls_server_name: 'localhost', token: 'a-token', client_certificate_key: key };
  expect(await operator.patch(path, { version: 1, attributes })).toMatchObject({
    status: 200,
    body: { version: 2, attributes: { tls_server_name: 'localhost' } },
  });
});
