import 'reflect-metadata';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listen } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { dsaOf, pemOf, rsaOf } from '@gatehouse/service-kit/testing/der';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Wire } from '../../testing/client.ts';
import { as, signIn, tokenOf, tokenWith } from '../../testing/people.ts';
import {
  activationOf,
  caughtUp,
  enablePrimary,
  refusalOf,
  replication,
  startCluster,
  statusOf,
  waitFor,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';
import { quickReplication, testPassword } from '../../testing/server.ts';
import { readActivation } from '../link/activation-token.ts';
import { encryptFor } from '../link/encrypted-activation.ts';

let primary: TestCluster;
let other: TestCluster;
let count = 0;
let id = '';
beforeAll(async () => {
  [primary, other] = await Promise.all([startCluster(), startCluster()]);
  await enablePrimary(primary);
});
afterAll(async () => {
  await primary[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(async () => {
  count += 1;
  id = `cluster-${count}`;
  if ((await statusOf(other))['mode'] === 'disabled') return;
  await other.admin.write(`${replication}/secondary/disable`);
});

const ask = (body: Wire) => primary.admin.write(`${replication}/primary/secondary-token`, body);
const enable = (body: Wire) => refusalOf(other.admin.write(`${replication}/secondary/enable`, body));
/** Enables the secondary, expects success, and signs in again. */
async function enabled(body: Wire): Promise<void> {
  expect(await enable(body)).toBe('');
  other.admin = await as(other, 'administrator');
  await caughtUp(primary, other);
}

describe('an activation token', () => {
  test("is wrapped: a JWT with the primary's address, which can be unwrapped once", async () => {
    const { status, body } = await ask({ id, ttl: '1h' });
    const wrapped = body['wrap_info'] as Wire;
    expect([status, wrapped]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        accessor: expect.any(String),
        ttl: 3600,
        creation_time: '2026-01-01T00:00:00.000000000Z',
        creation_path: `${replication}/primary/secondary-token`,
      },
    ]);
    const token = String(wrapped['token']);
    const iat = Date.UTC(2026, 0, 1) / 1000;
    expect(readActivation(token)).toEqual({
      addr: primary.url,
      jti: expect.stringMatching(/^hvs\./),
      iat,
      exp: iat + 3600,
    });
    expect((await primary.admin.write('sys/wrapping/lookup', { token })).data).toMatchObject({
      creation_path: `${replication}/primary/secondary-token`,
      creation_ttl: 3600,
    });
    const forged = `${token.slice(0, -4)}AAAA`;
    expect((await primary.with(forged).write('sys/wrapping/unwrap')).status).toBe(400);

    const unwrapped = await primary.with(token).write('sys/wrapping/unwrap');
    expect(unwrapped.data).toEqual({
      id: expect.stringMatching(new RegExp(`^${id}~`)),
      cluster_id: (await statusOf(primary))['cluster_id'],
      ca_cert: expect.stringContaining('BEGIN CERTIFICATE'),
      client_cert: expect.stringContaining('BEGIN CERTIFICATE'),
      client_key: expect.stringContaining('BEGIN PRIVATE KEY'),
      addrs: [String((await statusOf(primary))['primary_cluster_addr']).slice('https://'.length)],
      digest_key: expect.any(String),
    });
    expect((await primary.with(token).write('sys/wrapping/unwrap')).status).toBe(400);
    expect((await primary.admin.write('sys/wrapping/unwrap', { token })).status).toBe(400);
    expect(await enable({ token })).toBe(
      `the primary at ${primary.url} refused the activation token (400): wrapping token is not valid or does not exist. A token works once, and expires.`,
    );
    expect(await statusOf(other)).toEqual({ mode: 'disabled' });
  });

  test("reserves its secondary's unique ID, which the public status lists", async () => {
    await activationOf(primary, id);
    expect(await refusalOf(ask({ id }))).toBe(
      `a secondary with the id "${id}" already exists. Revoke it first, or choose another id.`,
    );
    expect((await primary.anonymous.read(`${replication}/status`)).data).toMatchObject({
      known_secondaries: expect.arrayContaining([id]) as unknown,
      secondaries: expect.arrayContaining([
        {
          node_id: id,
          api_address: '',
          cluster_address: '',
          connection_status: 'disconnected',
          last_heartbeat: null,
        },
      ]) as unknown,
    });
  });

  test.each([
    [{}, 'missing id'],
    [{ id: 'two words' }, 'id must be 1 to 128 letters, digits and any of ". _ : @ -"'],
    [{ id: 'x', ttl: '-1m' }, 'ttl must be positive'],
    [
      { id: 'x', ttl: 'soon' },
      'Field validation failed: error converting input for field "ttl": time: invalid duration "soon"',
    ],
    [
      { id: 'x', secondary_public_key: 'AAAA' },
      "secondary_public_key isn't a public key from secondary/generate-public-key",
    ],
    [
      { id: 'x', secondary_public_key: Buffer.alloc(32).toString('base64') },
      "this secondary_public_key can't be used for encryption",
    ],
  ])('is refused for the request %o', async (body, why) => {
    expect(await refusalOf(ask(body))).toBe(why);
  });

  test('leaves no secondary behind when the request is refused', async () => {
    expect((await statusOf(primary))['known_secondaries']).not.toContain('x');
  });

  test('is created for only one of several simultaneous requests with the same ID', async () => {
    const answers = await Promise.all([ask({ id }), ask({ id }), ask({ id })]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const known = (await statusOf(primary))['known_secondaries'];
    expect(Array.isArray(known) && known.filter((name) => name === id)).toEqual([id]);
    const { transitions } = (await primary.admin.read(`${replication}/transitions`)).data;
    expect(transitions).toContainEqual(
      expect.objectContaining({
        operation: 'primary/secondary-token',
        outcome: 'done',
        by: 'userpass-admin',
      }),
    );
  });

  test('requires sudo', async () => {
    await primary.admin.write('sys/policies/acl/replicator', {
      policy: `path "${replication}/*" { capabilities = ["create", "update", "read"] }`,
    });
    const replicator = primary.with(await tokenWith(primary.admin, { policies: ['replicator'] }));
    expect((await replicator.write(`${replication}/primary/secondary-token`, { id })).status).toBe(403);
    expect((await replicator.read(`${replication}/digest`)).status).toBe(200);
    expect((await primary.anonymous.read(`${replication}/digest`)).status).toBe(403);
  });

  test.each(['wrapped', 'encrypted'])(
    'that is %s ends with the right of the account that created it',
    async (kind) => {
      const { data } = await other.admin.write(`${replication}/secondary/generate-public-key`);
      const key = { secondary_public_key: data['secondary_public_key'] };
      const account = await primary.accounts.create({
        loginName: `maker-${kind}`,
        password: testPassword,
        roles: { secrets: 'administrator' },
      });
      const token = tokenOf(await signIn(primary, account.loginName));
      const admin = primary.with(token);
      const activation = await activationOf({ ...primary, admin }, id, kind === 'encrypted' ? key : {});
      await primary.accounts.update(account.id, account.version, { disabled: true });
      expect(await enable({ token: activation })).toMatch(
        /refused the activation token: it was revoked there/,
      );
      expect((await statusOf(other))['mode']).toBe('disabled');
      expect((await statusOf(primary))['known_secondaries']).not.toContain(id);
    },
  );

  test('expires', async () => {
    const token = await activationOf(primary, id, { ttl: 60 });
    primary.clock.advance(60_000);
    expect(await enable({ token })).toBe(
      `the primary at ${primary.url} refused the activation token (400): wrapping token is not valid or does not exist. A token works once, and expires.`,
    );
    other.clock.advance(60_000);
    expect(await enable({ token })).toBe('the activation token has expired; create another one');
    // The unused activation reserves its ID until it can no longer be used.
    expect(await refusalOf(ask({ id }))).toMatch(/already/);
    primary.clock.advance(300_001);
    expect((await statusOf(primary))['known_secondaries']).not.toContain(id);
    expect(await refusalOf(ask({ id }))).toBe('');
  });

  test("can be encrypted to a secondary's public key, so that the secondary doesn't need the primary's API", async () => {
    const [{ data }, { data: atOnce }] = await Promise.all([
      other.admin.write(`${replication}/secondary/generate-public-key`),
      other.admin.write(`${replication}/secondary/generate-public-key`),
    ]);
    const key = data['secondary_public_key'];
    expect(atOnce).toEqual(data);
    expect(
      (await other.admin.write(`${replication}/secondary/generate-public-key`)).data['secondary_public_key'],
    ).toBe(key);
    const answer = await ask({ id, secondary_public_key: key });
    expect([answer.status, answer.body['wrap_info']]).toEqual([200, null]);
    const token = String(answer.data['token']);
    expect(await enable({ token: `${token.slice(0, -4)}AAAA` })).toMatch(/^token isn't an activation token/);
    await enabled({ token });
    expect(await statusOf(other)).toMatchObject({ secondary_id: id });
    expect(await refusalOf(other.admin.write(`${replication}/secondary/update-primary`, { token }))).toMatch(
      /^token isn't an activation token/,
    );
  });

  test('is fully validated if it is encrypted, because anyone can create one', async () => {
    const { data } = await other.admin.write(`${replication}/secondary/generate-public-key`);
    const key = String(data['secondary_public_key']);
    const texts = {
      id: 'a',
      cluster_id: 'b',
      ca_cert: 'c',
      client_cert: 'd',
      client_key: pemOf('RSA PRIVATE KEY', rsaOf(256)),
      digest_key: 'f',
    };
    const right = { ...texts, addrs: ['127.0.0.1:1'], exp: other.clock.now() / 1000 + 60 };
    const { exp: _, ...endless } = right;
    const many = Array.from({ length: 17 }, () => '127.0.0.1:1');
    for (const made of [
      null,
      endless,
      { ...right, exp: 'never' },
      { ...right, id: 1 },
      { ...right, client_key: {} },
      { ...right, client_key: pemOf('PRIVATE KEY', dsaOf(256)) },
      { ...right, addrs: [{}] },
      { ...right, addrs: many },
    ]) {
      const token = made === null ? 'null' : encryptFor(key, made);
      expect([made, await enable({ token })]).toEqual([
        made,
        expect.stringMatching(/^token isn't an activation token/),
      ]);
    }
    expect(await enable({ token: encryptFor(key, right) })).toMatch(/^the primary doesn't respond/);
  });

  test('expires if it is encrypted, too', async () => {
    const { data } = await other.admin.write(`${replication}/secondary/generate-public-key`);
    const answer = await ask({ id, ttl: '1m', secondary_public_key: data['secondary_public_key'] });
    other.clock.setWall(primary.clock.now() + 61_000);
    expect(await enable({ token: answer.data['token'] })).toBe(
      'the activation token has expired; create another one',
    );
    other.clock.setWall(primary.clock.now());
  });
});

describe('a secondary that unwraps its activation', () => {
  const folder = temporaryFolder();
  const caFile = folder.file('ca.pem');
  let secure: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    const { cert, key } = await localCertificate('primary');
    writeFileSync(caFile, cert);
    secure = await listen(primary.service, { host: '127.0.0.1', port: 0, tls: { cert, key } });
    mkdirSync(folder.file('certificates'));
    writeFileSync(join(folder.file('certificates'), 'notes.txt'), 'nothing');
    mkdirSync(folder.file('empty'));
    writeFileSync(
      folder.file('broken.pem'),
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
  });
  afterAll(async () => {
    await secure.drain(0);
    folder[Symbol.dispose]();
  });

  test('uses primary_api_addr, and ca_file or ca_path for its certificate', async () => {
    const { address } = secure;
    const token = await activationOf(primary, id);
    expect(await enable({ token, primary_api_addr: address })).toMatch(
      new RegExp(
        `^the primary at ${address} can't be reached: self[- ]signed certificate \\(its certificate is checked with the system's certificates\\)$`,
      ),
    );
    await enabled({ token, primary_api_addr: `${address}/`, ca_file: caFile });
    expect((await other.anonymous.read(`${replication}/status`)).data).toMatchObject({
      primaries: [expect.objectContaining({ api_address: `${address}/` })],
    });

    writeFileSync(join(folder.file('certificates'), 'ca.pem'), (await localCertificate('another')).cert);
    const second = await activationOf(primary, `${id}-2`);
    const update = (body: Wire) =>
      refusalOf(other.admin.write(`${replication}/secondary/update-primary`, { token: second, ...body }));
    const certificates = folder.file('certificates');
    expect(await update({ primary_api_addr: address, ca_path: certificates })).toMatch(
      new RegExp(`\\(its certificate is checked with the certificates in ${certificates}\\)$`),
    );
    writeFileSync(join(certificates, 'right.pem'), readFileSync(caFile));
    expect(await update({ primary_api_addr: address, ca_path: certificates })).toBe('');
    await caughtUp(primary, other);
  });

  test('reports what went wrong before any data is cleared', async () => {
    const token = await activationOf(primary, id);
    await other.admin.write('secret/data/kept', { data: {} });
    const { admin } = other;
    const [endless, large] = ['/dev/zero', folder.file('large.pem')];
    writeFileSync(large, '');
    truncateSync(large, 4 * 2 ** 20 + 1);
    for (const [body, why] of [
      [{ ca_file: folder.file('none.pem') }, `ca_file ${folder.file('none.pem')}: no such file or directory`],
      [{ ca_path: folder.file('none') }, `ca_path ${folder.file('none')}: no such file or directory`],
      [{ ca_path: caFile }, `ca_path ${caFile}: not a directory`],
      [
        { ca_path: folder.file('empty') },
        `ca_path ${folder.file('empty')}: no file in it has a PEM certificate`,
      ],
      [
        { ca_file: folder.file('broken.pem') },
        `ca_file ${folder.file('broken.pem')}: one of its certificates cannot be read`,
      ],
      [{ ca_file: endless }, `ca_file ${endless}: it is not a regular file`],
      [{ ca_file: large }, `ca_file ${large}: there are more than 4 MB to read`],
      [{ ca_file: caFile, ca_path: folder.path }, 'ca_file and ca_path cannot be used together'],
      [
        { primary_api_addr: 'vault.example:8200' },
        '"vault.example:8200" is not an http or https address of a primary',
      ],
      [
        { primary_api_addr: 'http://127.0.0.1:1' },
        "the primary at http://127.0.0.1:1 can't be reached: connect ECONNREFUSED 127.0.0.1:1",
      ],
      [
        { primary_api_addr: other.url },
        `the primary at ${other.url} refused the activation token (400): wrapping token is not valid or does not exist. A token works once, and expires.`,
      ],
    ] as const) {
      expect(await enable({ token, ...body })).toBe(why);
    }
    expect(await enable({ token: 'guess' })).toMatch(/^token isn't an activation token/);
    expect(await enable({ token: 'hvs.guess' })).toMatch(/^token isn't an activation token/);
    expect((await admin.read('secret/data/kept')).status).toBe(200);
    await enabled({ token });
  });

  test("shares one total time limit between files, the primary's API and cluster addresses", async () => {
    const silent = await listen(() => undefined, { host: '127.0.0.1', port: 0 });
    await using hasty = await startCluster({
      replicationTimes: { ...quickReplication, ping: 600_000, wait: 100 },
    });
    const token = await activationOf(primary, id);
    const body = { token, primary_api_addr: silent.address };
    expect(await refusalOf(hasty.admin.write(`${replication}/secondary/enable`, body))).toBe(
      `the primary at ${silent.address} can't be reached: it didn't answer in time`,
    );
    await silent.drain(0);
  });

  test('is denied permanently if another cluster has used the activation; its administrator can still sign in', async () => {
    const token = await activationOf(primary, id);
    const kept = (await primary.with(token).write('sys/wrapping/unwrap')).text;
    const twice = await listen((_, res) => res.end(kept), { host: '127.0.0.1', port: 0 });
    await enabled({ token, primary_api_addr: twice.address });
    await using third = await startCluster();
    const body = { token, primary_api_addr: twice.address };
    expect(await refusalOf(third.admin.write(`${replication}/secondary/enable`, body))).toBe('');
    await twice.drain(0);
    third.admin = await as(third, 'administrator');
    await waitFor(third, {
      connection_state: 'denied',
      connection_error: expect.stringContaining('was used by another cluster') as unknown,
      last_remote_wal: null,
      lag_entries: null,
      last_heartbeat: null,
    });
    expect((await third.anonymous.read('sys/health')).body).toMatchObject({
      replication_primary_canary_age_ms: null,
    });
    expect(await refusalOf(third.admin.write(`${replication}/secondary/promote`))).toMatch(
      /is running, and two primaries may lose data/,
    );
    expect(await refusalOf(third.admin.write(`${replication}/secondary/disable`))).toBe('');
  });

  test("keeps its data if the primary's cluster port can't be reached", async () => {
    await primary.admin.write(`${replication}/primary/disable`);
    await primary.admin.write(`${replication}/primary/enable`, { primary_cluster_addr: '127.0.0.1:1' });
    const token = await activationOf(primary, id);
    const { admin } = other;
    await admin.write('secret/data/kept', { data: {} });
    expect(await enable({ token })).toMatch(
      /^the primary doesn't respond at its cluster address 127\.0\.0\.1:1\. Nothing was changed here\./,
    );
    expect((await admin.read('secret/data/kept')).status).toBe(200);
  });
});

/** Creates a self-signed certificate for loopback. */
async function localCertificate(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}
