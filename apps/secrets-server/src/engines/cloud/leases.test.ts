import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CreateLoginProfileCommand, EnableMFADeviceCommand, IAMClient } from '@aws-sdk/client-iam';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createService } from '../../app.ts';
import { clientOf } from '../../testing/client.ts';
import type { Client } from '../../testing/client.ts';
import {
  outcome,
  readOnly,
  rootFields,
  rootKey,
  shortTimes,
  startCloudServer,
  startProvider,
  usersOf,
} from '../../testing/cloud.ts';
import type { CloudServer } from '../../testing/cloud.ts';

const lines: string[] = [];
const log = createLog({
  service: 'secrets',
  level: 'debug',
  destination: { write: (line) => void lines.push(line) },
});
let server: CloudServer;
let admin: Client;
async function begin(sweep = shortTimes.sweep): Promise<void> {
  server = await startCloudServer({ log, cloudTimes: { ...shortTimes, sweep } });
  admin = server.admin;
  await admin.write('cloud/roles/u', {
    credential_type: 'iam_user',
    policy_arns: readOnly,
    iam_groups: 'g1',
  });
}
beforeEach(() => begin());
afterEach(() => server[Symbol.asyncDispose]());

const down = () => {
  server.cloud.inject = () => ({ effect: 'before', answer: { status: 503, code: 'ServiceUnavailable' } });
};
const up = () => {
  server.cloud.inject = undefined;
};

test('a lease that ends during an outage of the provider is revoked later, even by the next process', async () => {
  await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), max_retries: 0 });
  await admin.write('cloud/config/lease', { lease: '1m', lease_max: '1h' });
  await admin.read('cloud/creds/u');
  const { body } = await admin.read('cloud/creds/u');
  down();
  const lease_id = body['lease_id'];
  expect(outcome(await admin.write('sys/leases/revoke', { lease_id, sync: true }))).toEqual([
    400,
    ['failed to revoke 1 lease(s); the server keeps retrying'],
  ]);
  const tried = server.cloud.calls.length;
  server.clock.advance(60_000);
  await expect.poll(() => server.cloud.calls.length).toBeGreaterThan(tried);
  expect(usersOf(server.cloud)).toHaveLength(2);
  await server.service.close();
  up();
  const { accounts, dataDir, clock } = server;
  const again = await createService({
    accounts,
    dataDir,
    clock,
    cloudTimes: shortTimes,
    cloudEnvironment: {},
  });
  const listening = await listen(again, { host: '127.0.0.1', port: 0 });
  clock.advance(60_000);
  await expect.poll(() => usersOf(server.cloud)).toEqual([]);
  await expect
    .poll(async () => (await clientOf(listening.address, admin.token).list('sys/leases/lookup/cloud')).status)
    .toBe(404);
  await listening.drain(0);
  await again.close();
  expect(Object.keys(server.cloud.dump())).toEqual(['root', 'somebody']);
});

test('a provider that hangs does not delay others, and is not called again for a while', async () => {
  // With a longer sweep, the provider works again before the next attempt.
  await server[Symbol.asyncDispose]();
  await begin(1000);
  await using silent = await startProvider(() => server.clock.now());
  await admin.write('sys/mounts/silent', { type: 'cloud' });
  await admin.write('silent/config/root', { ...rootFields(silent.url), max_retries: 0 });
  await admin.write('silent/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
  const lease = { lease: '1m', lease_max: '1h' };
  for (const mount of ['silent', 'cloud']) await admin.write(`${mount}/config/lease`, lease);
  for (let count = 0; count < 12; count += 1) await admin.read('silent/creds/u');
  await admin.read('cloud/creds/u');
  // The other provider also has a partly created user.
  server.cloud.inject = ({ action }) =>
    action === 'CreateUser' ? undefined : { effect: 'before', answer: { status: 403, code: 'AccessDenied' } };
  await admin.read('cloud/creds/u');
  up();
  lines.length = 0;
  const release = Promise.withResolvers<undefined>();
  silent.inject = async () => {
    await release.promise;
    throw new Error('the connection is cut');
  };
  server.clock.advance(60_000);
  await expect.poll(() => usersOf(server.cloud), { timeout: 5000 }).toEqual([]);
  const failures = () => lines.filter((line) => line.includes('lease not revoked')).length;
  expect([usersOf(silent).length, failures()]).toEqual([12, 0]);
  // Leases that end later are not delayed either.
  await admin.read('cloud/creds/u');
  expect(usersOf(server.cloud)).toHaveLength(1);
  server.clock.advance(60_000);
  await expect.poll(() => usersOf(server.cloud), { timeout: 5000 }).toEqual([]);
  expect([usersOf(silent).length, failures()]).toEqual([12, 0]);
  release.resolve(undefined);
  await expect.poll(failures).toBe(1);
  silent.inject = undefined;
  server.clock.advance(1000);
  await expect.poll(() => usersOf(silent), { timeout: 5000 }).toEqual([]);
  expect(failures()).toBe(1);
});

test("a namespace's engines at a provider that hangs do not delay removals of others", async () => {
  await admin.write('sys/namespaces/team');
  await using silent = await startProvider(() => server.clock.now());
  const mounts = Array.from({ length: 26 }, (_, index) => `team/m${index}`);
  for (const mount of mounts) {
    await admin.write(mount.replace('/', '/sys/mounts/'), { type: 'cloud' });
    await admin.write(`${mount}/config/root`, { ...rootFields(silent.url), max_retries: 0 });
    await admin.write(`${mount}/config/lease`, { lease: '1m', lease_max: '1h' });
    await admin.write(`${mount}/roles/u`, { credential_type: 'iam_user', policy_arns: readOnly });
  }
  // Half of them have a partly created user, and the others a lease.
  let isPartly = false;
  const release = Promise.withResolvers<undefined>();
  const denied = { effect: 'before', answer: { status: 403, code: 'AccessDenied' } } as const;
  silent.inject = ({ action }) => (isPartly && action !== 'CreateUser' ? denied : undefined);
  for (const mount of mounts) {
    isPartly = !isPartly;
    await admin.read(`${mount}/creds/u`);
  }
  await admin.write('cloud/config/lease', { lease: '1m', lease_max: '1h' });
  await admin.read('cloud/creds/u');
  const removals = () => silent.calls.filter(({ action }) => action === 'DeleteUser').length;
  silent.inject = ({ action }) => (action === 'DeleteUser' ? release.promise : undefined);
  const before = removals();
  server.clock.advance(60_000);
  await expect.poll(() => usersOf(server.cloud)).toEqual([]);
  await expect.poll(() => removals() - before).toBe(24);
  // The last two wait for the first of those.
  release.resolve(undefined);
  await expect.poll(() => usersOf(silent)).toEqual([]);
});

test('a user who was already deleted counts as revoked, but not one of another account', async () => {
  // The ARN contains the account. It is known even if the answer to CreateUser is lost.
  let lost = 0;
  server.cloud.inject = ({ action }) =>
    action === 'CreateUser' && (lost += 1) === 1 ? { effect: 'after' } : undefined;
  const { body } = await admin.read('cloud/creds/u');
  await using other = await startCloudServer();
  await admin.write('cloud/config/root', { ...rootFields(other.cloud.url), max_retries: 0 });
  other.cloud.account = '210987654321';
  const lease_id = body['lease_id'];
  expect((await admin.write('sys/leases/revoke', { lease_id, sync: true })).status).toBe(400);
  await admin.write('cloud/config/root', rootFields(server.cloud.url));
  server.clock.advance(1000);
  await expect.poll(() => usersOf(server.cloud)).toEqual([]);
  const gone = await admin.read('cloud/creds/u');
  await admin.write('cloud/config/root', rootFields(other.cloud.url));
  other.cloud.account = '123456789012';
  const asked = { lease_id: gone.body['lease_id'], sync: true };
  expect((await admin.write('sys/leases/revoke', asked)).status).toBe(204);
});

test('a user who was given a password and devices is removed with them', async () => {
  const { data } = await admin.read('cloud/creds/u');
  const { lease_id } = (await admin.read('cloud/creds/u')).body;
  const [first, second] = usersOf(server.cloud);
  const iam = new IAMClient({
    endpoint: server.cloud.url,
    region: 'us-east-1',
    credentials: {
      accessKeyId: String(data['access_key']),
      secretAccessKey: String(data['secret_key']),
    },
  });
  for (const UserName of [first, second]) {
    await iam.send(new CreateLoginProfileCommand({ UserName, Password: 'known to whoever had the keys' }));
    for (const n of [1, 2])
      await iam.send(
        new EnableMFADeviceCommand({
          UserName,
          SerialNumber: `arn:aws:iam::123456789012:mfa/${UserName}-${n}`,
          AuthenticationCode1: '123456',
          AuthenticationCode2: '654321',
        }),
      );
  }
  iam.destroy();
  // The password is deleted even if another part can't be removed.
  server.cloud.inject = ({ action }) =>
    action === 'ListGroupsForUser'
      ? { effect: 'before', answer: { status: 403, code: 'AccessDenied' } }
      : undefined;
  expect((await admin.write('sys/leases/revoke', { lease_id, sync: true })).status).toBe(400);
  server.cloud.inject = undefined;
  expect(server.cloud.calls.filter(({ action }) => action === 'DeleteLoginProfile')).toHaveLength(1);
  expect((await admin.write('sys/leases/revoke', { lease_id, sync: true })).status).toBe(204);
  expect(usersOf(server.cloud)).toHaveLength(1);
  expect((await admin.write('sys/leases/revoke-prefix/cloud/creds/u', { sync: true })).status).toBe(204);
  expect(usersOf(server.cloud)).toEqual([]);
});

test('a partly created user is kept on record while the engine uses another account', async () => {
  server.cloud.inject = ({ action }) =>
    action === 'CreateUser' ? undefined : { effect: 'before', answer: { status: 403, code: 'AccessDenied' } };
  await admin.read('cloud/creds/u');
  up();
  await using other = await startProvider(() => server.clock.now());
  await admin.write('cloud/config/root', rootFields(other.url));
  server.clock.advance(shortTimes.settled);
  const asked = () => other.calls.filter(({ action }) => action === 'DeleteUser').length;
  await expect.poll(asked, { timeout: 5000 }).toBe(1);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(400);
  await admin.write('cloud/config/root', rootFields(server.cloud.url));
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect(usersOf(server.cloud)).toEqual([]);
});

test('unmounting revokes the leases first, or fails and lists the remaining ones', async () => {
  const { body } = await admin.read('cloud/creds/u');
  await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), max_retries: 0 });
  down();
  const refused = await admin.delete('sys/mounts/cloud');
  expect([refused.status, String(refused.body['errors'])]).toEqual([
    400,
    expect.stringContaining(`leases not revoked yet: ${String(body['lease_id'])}. The server keeps retrying`),
  ]);
  up();
  expect((await admin.read('cloud/creds/u')).status).toBe(200);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect([usersOf(server.cloud), (await admin.read('cloud/roles/u')).status]).toEqual([[], 404]);
});

test("leases that can't be revoked are removed only by force", async () => {
  const user = { credential_type: 'iam_user', policy_arns: readOnly };
  await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), max_retries: 0 });
  await admin.write('cloud/roles/u', user);
  await admin.read('cloud/creds/u');
  server.cloud.inject = ({ action }) =>
    action === 'CreateUser'
      ? undefined
      : { effect: 'before', answer: { status: 403, code: 'InvalidClientTokenId' } };
  const [half] = String((await admin.read('cloud/creds/u')).body['errors']).match(/vault-[^"\\]+/) ?? [];
  const refused = await admin.delete('sys/mounts/cloud');
  expect([refused.status, String(refused.body['errors'])]).toEqual([
    400,
    expect.stringContaining(`the user "${half}"`),
  ]);
  // Neither a prefix of the mount's name nor a part of its leases removes the rest.
  for (const part of ['cl', 'cloud/creds']) await admin.write(`sys/leases/revoke-force/${part}`);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(400);
  expect((await admin.write('sys/leases/revoke-force/cloud')).status).toBe(204);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect(usersOf(server.cloud)).toHaveLength(2);
});

test('an engine that is being unmounted issues nothing', async () => {
  const creating = Promise.withResolvers<void>();
  server.cloud.inject = ({ action }) => {
    if (action === 'CreateUser') creating.resolve();
    return undefined;
  };
  server.cloud.delay = 20;
  const first = admin.read('cloud/creds/u');
  await creating.promise;
  const [unmounted, issued, late] = await Promise.all([
    admin.delete('sys/mounts/cloud'),
    first,
    admin.read('cloud/creds/u'),
  ]);
  expect([unmounted.status, issued.status]).toEqual([204, 200]);
  expect(late.status).toBeGreaterThanOrEqual(400);
  expect(Object.keys(server.cloud.dump())).toEqual(['root', 'somebody']);
});

test("a namespace is deleted with its engines' credentials", async () => {
  await admin.write('sys/namespaces/team');
  await admin.write('team/sys/mounts/cloud', { type: 'cloud' });
  await admin.write('team/cloud/config/root', rootFields(server.cloud.url));
  await admin.write('team/cloud/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
  expect((await admin.read('team/cloud/creds/u')).body['lease_id']).toMatch(/^cloud\/creds\/u\//);
  expect(usersOf(server.cloud)).toHaveLength(1);
  expect((await admin.delete('sys/namespaces/team')).status).toBe(200);
  expect(usersOf(server.cloud)).toEqual([]);
});

test('neither files nor the log contain a secret', async () => {
  const user = await admin.read('cloud/creds/u');
  const policy_document = '{"Statement":[{"Effect":"Allow","Action":"canary:*"}]}';
  await admin.write('cloud/roles/canary', { credential_type: 'federation_token', policy_document });
  const session = await admin.read('cloud/sts/canary');
  await admin.write('cloud/config/rotate-root');
  down();
  await admin.read('cloud/creds/u');
  const secrets = [
    rootKey.secret,
    rootKey.id,
    user.data['secret_key'],
    user.data['access_key'],
    session.data['secret_key'],
    session.data['security_token'],
    'canary:*',
  ].map(String);
  const kept = readdirSync(server.dataDir)
    .filter((file) => file.startsWith('secrets-server.db'))
    .map((file) => readFileSync(join(server.dataDir, file)).toString('latin1'));
  for (const text of [...kept, lines.join('')]) {
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  expect(lines.join('')).toContain('"route":"cloud/creds/:name"');
});
