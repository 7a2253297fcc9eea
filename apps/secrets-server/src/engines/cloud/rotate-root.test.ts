import { listen } from '@gatehouse/service-kit/service';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createService } from '../../app.ts';
import type { Client } from '../../testing/client.ts';
import { outcome, rootFields, rootKey, shortTimes, startCloudServer } from '../../testing/cloud.ts';
import type { CloudServer } from '../../testing/cloud.ts';

let server: CloudServer;
let admin: Client;
beforeEach(async () => {
  server = await startCloudServer();
  admin = server.admin;
});
afterEach(() => server[Symbol.asyncDispose]());

const rotate = () => admin.write('cloud/config/rotate-root');
const keys = () => server.cloud.dump()['root']?.keys;
const configured = async () => (await admin.read('cloud/config/root')).data['access_key'];
const fail = (...actions: readonly string[]) => {
  server.cloud.inject = ({ action }) =>
    actions.includes(action)
      ? { effect: 'before', answer: { status: 403, code: 'AccessDenied' } }
      : undefined;
};

test('replaces the old key by a new one that works', async () => {
  server.cloud.newKeyRefusals = 2;
  const { status, data, body } = await rotate();
  expect([status, body['warnings']]).toEqual([200, null]);
  expect(data).toEqual({ access_key: expect.stringMatching(/^AKIA/) });
  expect(keys()).toEqual([data['access_key']]);
  expect(await configured()).toBe(data['access_key']);
  const again = await rotate();
  expect(keys()).toEqual([again.data['access_key']]);
  expect((await admin.read('cloud/config/root')).data).toMatchObject({ iam_endpoint: server.cloud.url });
});

test('refuses to rotate missing keys and those of the environment', async () => {
  const refused = ['Cannot call config/rotate-root when either access_key or secret_key is empty'];
  await admin.write('cloud/config/root', { iam_endpoint: server.cloud.url });
  expect(outcome(await rotate())).toEqual([400, refused]);
  await admin.write('sys/mounts/fresh', { type: 'cloud' });
  expect(outcome(await admin.write('fresh/config/rotate-root'))).toEqual([
    400,
    ['no configuration found for config/root'],
  ]);
});

test('refuses to rotate while the user has a second key', async () => {
  await rotate();
  const one = await configured();
  fail('DeleteAccessKey');
  const { data, body } = await rotate();
  expect(body['warnings']).toEqual([
    `The old access key ${String(one)} couldn't be deleted yet. The server keeps retrying.`,
  ]);
  expect(outcome(await rotate())).toEqual([
    400,
    [
      `the user "root" has other access keys than ${String(data['access_key'])}: ${String(one)}. Delete them to rotate the root credentials.`,
    ],
  ]);
  server.cloud.inject = undefined;
  server.clock.advance(1000);
  await expect.poll(keys).toEqual([data['access_key']]);
});

test('deletes a new key that does not work, or names the key', async () => {
  server.cloud.newKeyRefusals = 9;
  expect(outcome(await rotate())).toEqual([
    400,
    ['error calling GetUser: InvalidClientTokenId: The security token included in the request is invalid.'],
  ]);
  expect([keys(), await configured()]).toEqual([[rootKey.id], rootKey.id]);
  fail('DeleteAccessKey');
  const [status, errors] = outcome(await rotate());
  expect([status, String(errors)]).toEqual([
    400,
    expect.stringMatching(
      /; a new access key of "root" beside AKIAROOTROOTROOTROOT remains until it can be removed$/,
    ),
  ]);
  expect(keys()).toHaveLength(2);
  server.cloud.inject = undefined;
  server.clock.advance(1000);
  await expect.poll(keys).toEqual([rootKey.id]);
});

test('keeps a configuration written in the meantime, and deletes the new key', async () => {
  server.cloud.inject = async ({ action, keyId }) => {
    if (action !== 'GetUser' || keyId === rootKey.id) return undefined;
    await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), region: 'eu-west-1' });
    return undefined;
  };
  expect(outcome(await rotate())).toEqual([400, ['the root configuration has since been changed']]);
  expect([keys(), await configured()]).toEqual([[rootKey.id], rootKey.id]);
});

test('refuses the second of two simultaneous rotations', async () => {
  const answers = await Promise.all([rotate(), rotate()]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  expect(keys()).toEqual([await configured()]);
});

test("cleans up after a failed rotation without deleting the next rotation's key", async () => {
  await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), max_retries: 0 });
  const listed = () => server.cloud.calls.filter(({ action }) => action === 'ListAccessKeys').length;
  server.cloud.inject = ({ action }) => (action === 'CreateAccessKey' ? { effect: 'before' } : undefined);
  expect((await rotate()).status).toBe(502);
  // The cleanup runs after the next rotation has created its key but before it has tried the key.
  server.cloud.inject = async ({ action, keyId }) => {
    if (action !== 'GetUser' || keyId === rootKey.id) return undefined;
    const before = listed();
    server.clock.advance(shortTimes.settled);
    await expect.poll(listed, { timeout: 5000 }).toBeGreaterThan(before);
    return undefined;
  };
  const { status, data } = await rotate();
  expect([status, keys()]).toEqual([200, [data['access_key']]]);
  server.cloud.inject = undefined;
  const before = listed();
  server.clock.advance(10_000);
  await expect.poll(listed, { timeout: 5000 }).toBeGreaterThan(before);
  // Unmounting succeeds only because the cleanup is complete.
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect(keys()).toEqual([data['access_key']]);
});

test('keeps an old key that was configured again', async () => {
  fail('DeleteAccessKey');
  const { data } = await rotate();
  await admin.write('cloud/config/root', rootFields(server.cloud.url));
  server.cloud.inject = undefined;
  // Unmounting runs all remaining undos.
  expect((await admin.delete('sys/mounts/cloud')).status).toBe(204);
  expect(keys()).toEqual([rootKey.id, data['access_key']]);
});

test('deletes a key after a restart if its answer was lost and its deletion failed', async () => {
  await admin.write('cloud/config/root', { ...rootFields(server.cloud.url), max_retries: 0 });
  server.cloud.inject = ({ action }) => {
    if (action === 'CreateAccessKey') return { effect: 'after' };
    return action === 'DeleteAccessKey' ? { effect: 'before' } : undefined;
  };
  expect((await rotate()).status).toBe(502);
  expect(keys()).toHaveLength(2);
  await server.service.close();
  server.cloud.inject = undefined;
  const { accounts, dataDir, clock } = server;
  const again = await createService({
    accounts,
    dataDir,
    clock,
    cloudTimes: shortTimes,
    cloudEnvironment: {},
  });
  const listening = await listen(again, { host: '127.0.0.1', port: 0 });
  clock.advance(1000);
  await expect.poll(keys).toEqual([rootKey.id]);
  await listening.drain(0);
  await again.close();
});
