import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { keyRingFromEnvironment, keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { turnsBefore } from '@gatehouse/service-kit/testing/turns-before';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBarrier } from '../store/barrier.ts';
import { openDatabase } from '../store/database.ts';
import type { Client, WireAnswer } from '../testing/client.ts';
import { as } from '../testing/people.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

let server: TestServer;
let client: Client;
beforeEach(async () => {
  server = await startServer();
  client = await as(server, 'administrator');
});
afterEach(() => server[Symbol.asyncDispose]());

const errorsOf = (answer: WireAnswer): unknown[] => [answer.status, answer.body['errors']];
const sealed = [503, ['Vault is sealed']];

/** The root key in base64, from the server's key file. */
const rootKey = (): string => rootKeyIn(join(server.dataDir, 'secrets-server-keys.json'));

function rootKeyIn(file: string): string {
  const ring = JSON.parse(readFileSync(file, 'utf8')) as {
    active: string;
    keys: Record<string, string>;
  };
  return ring.keys[ring.active] ?? '';
}

test.each(['sys/health', 'sys/seal-status'])(
  '%s is answered in its turn while users wait for theirs',
  async (path) => {
    expect(await turnsBefore(() => server.anonymous.read(path), true)).toBe(20);
  },
);

describe('sealing', () => {
  test('is undone in the turn of its address, whatever token is sent', async () => {
    await client.write('sys/seal');
    const unseal = async () => {
      expect((await client.write('sys/unseal', { key: rootKey() })).status).toBe(200);
    };
    expect(await turnsBefore(unseal, false)).toBe(20);
  });

  test('refuses everything that needs a key until the server is unsealed with the root key', async () => {
    await client.write('secret/data/a', { data: { n: 1 } });
    expect((await client.write('sys/seal')).status).toBe(204);
    for (const answer of [
      await client.read('secret/data/a'),
      await client.write('secret/data/a', { data: {} }),
      await client.list('secret/metadata/'),
      await client.read('sys/mounts'),
      await client.write('sys/rotate'),
      await client.write('sys/seal'),
      await client.read('auth/token/lookup-self'),
      await server.anonymous.write('auth/userpass/login/admin', { password: 'x' }),
      await server.anonymous.read('nowhere'),
    ]) {
      expect(errorsOf(answer)).toEqual(sealed);
    }
    expect((await server.anonymous.read('sys/seal-status')).body).toMatchObject({
      sealed: true,
      initialized: true,
      t: 1,
      n: 1,
    });
    expect((await server.anonymous.read('sys/health')).status).toBe(503);

    for (const key of ['', 'short', Buffer.alloc(32).toString('base64'), `${rootKey()}AAAA`]) {
      expect((await server.anonymous.write('sys/unseal', { key })).status).toBe(400);
    }
    expect((await server.anonymous.write('sys/unseal', {})).status).toBe(400);
    expect((await server.anonymous.write('sys/unseal', { reset: true })).body).toMatchObject({
      sealed: true,
    });
    expect((await server.anonymous.send('PUT', 'sys/unseal', { key: rootKey() })).body).toMatchObject({
      sealed: false,
    });
    expect((await client.read('secret/data/a')).data).toMatchObject({ data: { n: 1 } });
    expect((await client.write('secret/data/a', { data: { n: 2 } })).status).toBe(200);
  });

  test('unsealing accepts a hexadecimal key, and does nothing if the server is not sealed', async () => {
    const hex = Buffer.from(rootKey(), 'base64').toString('hex');
    expect((await server.anonymous.write('sys/unseal', { key: 'whatever' })).body).toMatchObject({
      sealed: false,
    });
    await client.write('sys/seal');
    expect((await server.anonymous.write('sys/unseal', { key: hex })).body).toMatchObject({ sealed: false });
    expect((await client.write('sys/rotate')).status).toBe(204);
  });

  test('requires a token with permission', async () => {
    const operator = await as(server, 'operator');
    expect((await operator.write('sys/seal')).status).toBe(403);
    expect((await operator.write('sys/rotate')).status).toBe(403);
    expect((await server.anonymous.write('sys/seal')).status).toBe(403);
    expect((await client.read('secret/data/a')).status).toBe(404);
  });

  test('overwrites the keys in memory', async () => {
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    const ring = keyRingFromFile(folder.file('keys.json'));
    const barrier = await openBarrier(store, ring, 0);
    const record = barrier.seal('value', 'place');
    let told = 0;
    barrier.onLock(() => told++);
    barrier.lock();
    barrier.lock();
    expect([barrier.sealed, told, ring.keyIds]).toEqual([true, 1, []]);
    expect(() => barrier.open(record, 'place')).toThrow('Vault is sealed');
    expect(() => barrier.seal('value', 'place')).toThrow('Vault is sealed');
    expect(() => barrier.hash('purpose', 'text')).toThrow('Vault is sealed');
    await expect(barrier.rotate(0)).rejects.toThrow('Vault is sealed');
    await store.close();
  });
});

describe('without a token', () => {
  test('health is reported, with statuses from the query', async () => {
    const { anonymous } = server;
    const health = await anonymous.read('sys/health');
    expect([health.status, health.body]).toMatchObject([
      200,
      { initialized: true, sealed: false, standby: false, version: '0.1.0', server_time_utc: 1_767_225_600 },
    ]);
    expect((await anonymous.read('sys/health?activecode=299&sealedcode=599&standbycode=429')).status).toBe(
      299,
    );
    expect((await anonymous.read('sys/health?activecode=x')).status).toBe(400);
    expect((await anonymous.read('sys/health?activecode=99')).status).toBe(400);
    await client.write('sys/seal');
    expect((await anonymous.read('sys/health?activecode=299&sealedcode=204')).status).toBe(204);
    expect((await anonymous.read('sys/health?sealedcode=599')).status).toBe(599);
  });

  test('the server reports that it is initialized, and its leader', async () => {
    const { anonymous } = server;
    expect((await anonymous.read('sys/init')).body).toEqual({ initialized: true });
    expect(errorsOf(await anonymous.write('sys/init', { secret_shares: 1, secret_threshold: 1 }))).toEqual([
      400,
      ['Vault is already initialized'],
    ]);
    expect((await anonymous.read('sys/leader')).body).toMatchObject({ ha_enabled: false });
    const status = (await anonymous.read('sys/seal-status')).body;
    expect(status).toMatchObject({
      type: 'shamir',
      sealed: false,
      cluster_name: expect.any(String) as string,
    });
  });
});

describe('data keys', () => {
  test('are rotated, which keeps earlier records readable and increments the term', async () => {
    await client.write('secret/data/old', { data: { n: 'old' } });
    expect((await client.read('sys/key-status')).body).toMatchObject({ term: 1, data: { term: 1 } });
    server.clock.advance(1000);
    expect((await client.write('sys/rotate')).status).toBe(204);
    expect((await client.write('sys/rotate/keyring')).status).toBe(204);
    expect((await client.read('sys/key-status')).data).toEqual({
      term: 3,
      install_time: '2026-01-01T00:00:01.000000000Z',
    });
    await client.write('secret/data/new', { data: { n: 'new' } });
    for (const n of ['old', 'new'])
      expect((await client.read(`secret/data/${n}`)).data).toMatchObject({ data: { n } });
    await client.write('sys/seal');
    await server.anonymous.write('sys/unseal', { key: rootKey() });
    for (const n of ['old', 'new'])
      expect((await client.read(`secret/data/${n}`)).data).toMatchObject({ data: { n } });
  });

  test('are rotated although the server was sealed and unsealed since, and refused while it is sealed', async () => {
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    const barrier = await openBarrier(store, keyRingFromFile(folder.file('keys.json')), 0);
    const key = rootKeyIn(folder.file('keys.json'));
    const rotated = barrier.rotate(1);
    barrier.lock();
    expect(barrier.unlock(key)).toBe(true);
    expect(await rotated).toEqual({ term: 2, since: 1 });
    const record = barrier.seal('value', 'place');
    const refused = barrier.rotate(2);
    barrier.lock();
    await expect(refused).rejects.toMatchObject({ status: 503, message: 'Vault is sealed' });
    barrier.unlock(key);
    expect([barrier.current.term, String(barrier.open(record, 'place'))]).toEqual([2, 'value']);
    await store.close();
  });

  test("don't decrypt a value that was moved to another version or key", async () => {
    await client.write('secret/data/a', { data: { n: 1 } });
    await client.write('secret/data/b', { data: { n: 2 } });
    const db = new DatabaseSync(join(server.dataDir, 'secrets-server.db'));
    db.exec('UPDATE kv_version SET sealed = (SELECT sealed FROM kv_version ORDER BY key_id DESC LIMIT 1)');
    db.close();
    expect((await client.read('secret/data/a')).status).toBe(500);
    expect((await client.read('secret/data/b')).status).toBe(200);
  });

  test('are protected by a key file that only its owner can read, or by a given root key', async () => {
    expect(statSync(join(server.dataDir, 'secrets-server-keys.json')).mode & 0o777).toBe(0o600);
    const given = (byte: number) => keyRingFromEnvironment('KEYS', Buffer.alloc(32, byte).toString('base64'));
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    const record = (await openBarrier(store, given(1), 0)).seal('value', 'place');
    await expect(openBarrier(store, given(2), 0)).rejects.toThrow(/another key ring/);
    expect((await openBarrier(store, given(1), 0)).open(record, 'place').toString()).toBe('value');
    await store.close();
  });

  test('are sealed under a new root key when the ring has one', async () => {
    using folder = temporaryFolder();
    const store = openDatabase(folder.path);
    const ring = keyRingFromFile(folder.file('keys.json'));
    const first = ring.activeKeyId;
    const record = (await openBarrier(store, ring, 0)).seal('value', 'place');
    ring.rotate();
    await openBarrier(store, ring, 0);
    ring.retire(first);
    expect((await openBarrier(store, ring, 0)).open(record, 'place').toString()).toBe('value');
    await store.close();
  });
});
