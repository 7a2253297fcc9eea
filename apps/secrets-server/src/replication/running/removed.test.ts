import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Wire } from '../../testing/client.ts';
import { readOnly, rootFields, shortTimes, startProvider, usersOf } from '../../testing/cloud.ts';
import { tokenWith } from '../../testing/people.ts';
import {
  activationOf,
  caughtUp,
  replication,
  rootKeyOf,
  startCluster,
  startClusters,
  statusOf,
} from '../../testing/replicating-servers.ts';
import type { TestCluster } from '../../testing/replicating-servers.ts';

let clusters: Awaited<ReturnType<typeof startClusters>>;
let provider: Awaited<ReturnType<typeof startProvider>>;
let primary: TestCluster;
let secondary: TestCluster;
beforeAll(async () => {
  provider = await startProvider();
  clusters = await startClusters(1);
  ({ primary } = clusters);
  const [first] = clusters.secondaries;
  if (first === undefined) throw new Error('no secondary');
  secondary = first;
});
afterAll(async () => {
  await clusters[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** The number of retired mounts. */
function retiredMounts({ dataDir }: TestCluster): number {
  using db = new DatabaseSync(join(dataDir, 'secrets-server.db'), { readOnly: true });
  return Number(db.prepare('SELECT count(*) AS count FROM mount WHERE retired = 1').get()?.['count']);
}

test("credentials that a secondary issued are revoked with their mount's configuration after the primary removes the mount", async () => {
  await primary.admin.write('sys/mounts/cloud', { type: 'cloud' });
  await primary.admin.write('cloud/config/root', rootFields(provider.url));
  await primary.admin.write('cloud/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
  await caughtUp(primary, secondary);
  const { body } = await secondary.admin.read('cloud/creds/u');
  expect(usersOf(provider)).toHaveLength(1);
  expect((await primary.admin.list('sys/leases/lookup/cloud/creds/u')).status).toBe(404);

  expect((await primary.admin.delete('sys/mounts/cloud')).status).toBe(204);
  await caughtUp(primary, secondary);
  expect((await secondary.admin.read('sys/mounts/cloud')).status).toBe(400);
  expect((await secondary.admin.read('cloud/creds/u')).status).toBe(404);
  // The mount's path can be used again at once, and the new mount's leases are separate.
  await primary.admin.write('sys/mounts/cloud', { type: 'cloud' });
  await caughtUp(primary, secondary);
  await vi.waitFor(() => expect(usersOf(provider)).toEqual([]), { timeout: 40_000, interval: 20 });
  await vi.waitFor(() => expect(retiredMounts(secondary)).toBe(0), { timeout: 40_000, interval: 20 });
  expect((await secondary.admin.write('sys/leases/lookup', { lease_id: body['lease_id'] })).status).toBe(400);
  expect((await secondary.admin.read('sys/mounts/cloud')).status).toBe(200);
  expect((await statusOf(secondary))['mode']).toBe('secondary');
});

test("leases that can't be revoked before the data is cleared are counted", async () => {
  await using other = await startCluster({ cloudTimes: shortTimes });
  const { admin } = other;
  await admin.write('sys/mounts/cloud', { type: 'cloud' });
  await admin.write('cloud/config/root', { ...rootFields(provider.url), max_retries: 0 });
  await admin.write('cloud/roles/u', { credential_type: 'iam_user', policy_arns: readOnly });
  await admin.read('cloud/creds/u');
  provider.inject = () => ({ effect: 'before', answer: { status: 503, code: 'ServiceUnavailable' } });
  const token = await activationOf(primary, 'cleared');
  const enabled = await admin.write(`${replication}/secondary/enable`, { token });
  provider.inject = undefined;
  expect([enabled.status, enabled.body['warnings']]).toEqual([
    200,
    [
      expect.stringContaining('Its data and tokens were cleared'),
      '1 lease could not be revoked before that. The issued credentials stay at their provider.',
    ],
  ]);
});

test('tokens of a removed namespace are not valid in a new one with the same name', async () => {
  await primary.admin.write('sys/namespaces/team');
  await caughtUp(primary, secondary);
  const inside = { 'x-vault-namespace': 'team' };
  const made = await secondary.admin.send('POST', 'auth/token/create', { policies: ['default'] }, inside);
  const { client_token: text } = made.body['auth'] as { readonly client_token: string };
  const token = secondary.with(text);
  const asksItself = async () =>
    (await token.send('GET', 'auth/token/lookup-self', undefined, inside)).status;
  expect(await asksItself()).toBe(200);
  await primary.admin.delete('sys/namespaces/team');
  await caughtUp(primary, secondary);
  expect(await asksItself()).toBe(404);
  const own = await tokenWith(secondary.admin, { policies: ['default'] });
  await vi.waitFor(
    async () => {
      const accessors = (await secondary.admin.list('auth/token/accessors')).data['keys'];
      expect(accessors).toHaveLength(2);
      expect(tokensOf(secondary)).toBe(2);
    },
    { timeout: 40_000, interval: 20 },
  );
  await primary.admin.write('sys/namespaces/team');
  await caughtUp(primary, secondary);
  expect(await asksItself()).toBe(403);
  expect((await secondary.with(own).read('auth/token/lookup-self')).status).toBe(200);
});

test("a cluster's own data in a namespace is not kept in a replacement with the same name", async () => {
  await primary.admin.write('sys/namespaces/short');
  await caughtUp(primary, secondary);
  const inside = { 'x-vault-namespace': 'short' };
  const ask = (method: string, path: string, body?: Wire) => secondary.admin.send(method, path, body, inside);
  const made = await ask('POST', 'auth/token/create', { policies: ['default'] });
  const { client_token: text } = made.body['auth'] as { readonly client_token: string };
  const wrapping = await secondary.admin.send(
    'POST',
    'sys/wrapping/wrap',
    { a: 1 },
    {
      ...inside,
      'x-vault-wrap-ttl': '60s',
    },
  );
  const { token } = wrapping.body['wrap_info'] as { readonly token: string };
  await ask('POST', 'sys/mounts/own', { type: 'kv', local: true });
  await ask('POST', 'own/data/a', { data: { of: 'the first' } });
  expect((await ask('GET', 'own/data/a')).status).toBe(200);

  // The secondary receives both changes at once.
  await secondary.admin.write('sys/seal');
  await primary.admin.delete('sys/namespaces/short');
  await primary.admin.write('sys/namespaces/short');
  await secondary.anonymous.write('sys/unseal', { key: rootKeyOf(secondary) });
  await caughtUp(primary, secondary);
  expect((await ask('GET', 'sys/mounts')).status).toBe(200);
  const asItself = secondary.with(text).send('GET', 'auth/token/lookup-self', undefined, inside);
  expect((await asItself).status).toBe(403);
  expect((await ask('POST', 'sys/wrapping/lookup', { token })).status).toBe(400);
  expect((await ask('GET', 'own/data/a')).status).toBe(404);
});

test('a namespace that a former primary was about to delete stays if its new primary has it', async () => {
  await primary.admin.write('sys/namespaces/kept');
  await caughtUp(primary, secondary);
  using db = new DatabaseSync(join(secondary.dataDir, 'secrets-server.db'));
  db.prepare("UPDATE namespace SET deleting = 1 WHERE path = 'kept/'").run();
  const marked = () =>
    db.prepare('SELECT count(*) AS count FROM namespace WHERE deleting = 1').get()?.['count'];
  expect(marked()).toBe(1);
  // Any arriving change makes the secondary read its namespaces again.
  await primary.admin.write('sys/namespaces/news');
  await caughtUp(primary, secondary);
  await vi.waitFor(() => expect(marked()).toBe(0), { timeout: 40_000, interval: 20 });
  expect((await secondary.admin.read('sys/namespaces/kept')).status).toBe(200);
});

/** The number of tokens in all namespaces. */
function tokensOf({ dataDir }: TestCluster): number {
  using db = new DatabaseSync(join(dataDir, 'secrets-server.db'), { readOnly: true });
  return Number(db.prepare('SELECT count(*) AS count FROM token').get()?.['count']);
}
