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

test('a lease that ends while the provider is down is taken back later, by the next process if need be', async () => {
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

test('a provider that does not answer holds up no other, and is left alone for a while', async () => {
  // It answers again before it would be asked again.
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
  // And one that is half made.
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
  // Nor does it hold up what ends while it is still being waited for.
  await admin.read('cloud/creds/u');
  expect(usersOf(server.cloud)).toHaveLength(1);
  server.clock.advance(60_000);
  await expect.poll(() => usersOf(server.cloud), { timeout: 5000 }).toEqual([]);
  expect([usersOf(silent).length, failures()]).toEqual([12, 0]);
  release.resolve(undefined);
  await expect.poll(failures).toBe(8);
  silent.inject = undefined;
  server.clock.advance(1000);
  await expect.poll(() => usersOf(silent), { timeout: 5000 }).toEqual([]);
  expect(failures()).toBe(8);
});

test('a user whom somebody removed by hand is no fault; one of another account is not forgotten', async () => {
  // The ARN says which account; it is known even when the answer that tells it is lost.
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

test('a user to whom a password and a device were given is removed with both', async () => {
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
  // The password goes, whatever else can't be removed.
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

test('a half-made user is not forgotten while the engine works for another account', async () => {
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

test('unmounting takes back what was issued first, or fails and says what is left', async () => {
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

test('what cannot be taken back any more is given up by force alone', async () => {
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
  // Neither the beginning of the engine's name nor a part of its leases gives up the rest.
  for (const part of ['cl', 'cloud/creds']) await admin.write(`sys/leases/revoke-force/${part}`);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(400);
  expect((await admin.write('sys/leases/revoke-force/cloud')).status).toBe(204);
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect(usersOf(server.cloud)).toHaveLength(2);
});

test('while an engine is being unmounted it issues nothing', async () => {
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

test('a namespace goes with what its engines issued', async () => {
  await admin.write('sys/namespaces/team');
  await admin.write('team/sys/mounts/cloud', { type: 'cloud' });
  await admin.write('team/cloud/config/root', rootFields(server.cloud.url));
  await admin.write('team/cloud/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
  expect((await admin.read('team/cloud/creds/u')).body['lease_id']).toMatch(/^cloud\/creds\/u\//);
  expect(usersOf(server.cloud)).toHaveLength(1);
  expect((await admin.delete('sys/namespaces/team')).status).toBe(200);
  expect(usersOf(server.cloud)).toEqual([]);
});

test('neither files nor the log tell a secret', async () => {
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
