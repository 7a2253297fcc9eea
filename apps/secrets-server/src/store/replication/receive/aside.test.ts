import { expect, test, vi } from 'vitest';
import type { Mount } from '#core/mount.ts';
import {
  allEntries,
  expectEqual,
  mountAt,
  openPrimaryStore,
  openSecondaryStore,
  put,
  sendEntries,
  sendSnapshot,
} from '#testing/replicated-pair.ts';
import type { ReplicatedStore } from '#testing/replicated-store.ts';
import { leaseStore } from '../../leases.ts';
import { unpack } from '../log/entry-codec.ts';

/** Stores a lease issued by a cluster. */
async function issue({ store, barrier, mounts }: ReplicatedStore, id: string): Promise<void> {
  const never = Number.MAX_SAFE_INTEGER;
  await leaseStore(store, barrier).add({
    id,
    namespace: '',
    engine: 'cloud',
    mountId: mounts.find('', id)?.id ?? 0,
    token: null,
    issueTime: 0,
    expireTime: never,
    maxExpireTime: never,
    lastRenewalTime: null,
    renewable: true,
    attempts: 0,
    data: null,
  });
}

/** Creates a mount with a role on both clusters, and a lease of it on the second. */
async function mountWithLease(from: ReplicatedStore, to: ReplicatedStore): Promise<Mount> {
  const mount = await mountAt(from, 'cloud/', '', 'cloud');
  await from.cloud.saveLegacyRole(mount.id, 'deploy', 'arn');
  await sendSnapshot(from, to);
  await issue(to, 'cloud/creds/deploy/1');
  return mount;
}

const configs = ({ store }: ReplicatedStore) =>
  store
    .all(store.build.selectFrom('cloud_role').select(['mount_id', 'name']).compile())
    .map(({ mount_id: mount, name }) => ({ mount, name }));

test('a mount that a filter excludes and includes again during a lease is restored', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  const mount = await mountWithLease(from, to);
  await sendSnapshot(from, to, { mode: 'deny', paths: ['cloud/'] });
  expect(to.mounts.at('', 'cloud/')).toBeUndefined();
  expect(to.mounts.retired().map(({ uuid }) => uuid)).toEqual([mount.uuid]);
  await sendSnapshot(from, to);
  expect(to.mounts.at('', 'cloud/')?.uuid).toBe(mount.uuid);
  expect(to.mounts.retired()).toEqual([]);
  await expectEqual(from, to);
});

test('a mount that is included again while housekeeping empties it is restored', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  const mount = await mountAt(from, 'secret/');
  for (const path of ['a', 'b', 'c', 'd']) await put(from, mount, path, '{}');
  await sendSnapshot(from, to);
  await sendSnapshot(from, to, { mode: 'deny', paths: ['secret/'] });
  const [retired] = to.mounts.retired();
  if (retired === undefined) throw new Error('the mount was not retired');
  // Each look at the clock takes long, so that each write does the least.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  const write = to.store.write.bind(to.store);
  const keys = () => to.store.all(to.store.build.selectFrom('kv_key').select('id').compile()).length;
  const spied = vi.spyOn(to.store, 'write').mockImplementation(async (...given) => {
    const result = await write(...given);
    if (keys() > 2) return result;
    spied.mockRestore();
    await sendSnapshot(from, to);
    return result;
  });
  await to.mounts.remove(retired);
  vi.restoreAllMocks();
  expect(to.mounts.at('', 'secret/')?.uuid).toBe(mount.uuid);
  await expectEqual(from, to);
});

test('a mount that another one replaces at its path keeps its configuration while it has a lease', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  const mount = await mountWithLease(from, to);
  await from.mounts.remove(mount);
  const next = await mountAt(from, 'cloud/', '', 'cloud');
  await sendSnapshot(from, to);
  await expectEqual(from, to);
  expect(to.mounts.at('', 'cloud/')?.uuid).toBe(next.uuid);
  const [aside] = to.mounts.retired();
  expect(aside?.uuid).toBe(mount.uuid);
  expect(configs(to)).toEqual([{ mount: aside?.id, name: 'deploy' }]);
});

test('changes of a retired mount are not sent to clusters whose filter may exclude them', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  const mount = await mountAt(from, 'cloud/', '', 'cloud');
  await sendSnapshot(from, to);
  const { seq } = to.replication.position();
  await issue(to, 'cloud/creds/deploy/1');
  await from.cloud.saveLegacyRole(mount.id, 'deploy', 'arn');
  await from.mounts.remove(mount);
  await sendEntries(from, to);
  expect(to.mounts.retired()).toHaveLength(1);
  // The cluster may be promoted and then serves its log to others.
  const entries = to.replication.entriesAfter(seq, allEntries) ?? [];
  expect(entries.flatMap(unpack).map(({ table }) => table)).toContain('cloud_role');
  for (const mode of ['deny', 'allow'] as const) {
    const sent = to.replication.filtered(entries, { mode, paths: ['cloud/'] }).flatMap(unpack);
    expect(sent.map(({ table }) => table)).toEqual(['mount']);
  }
});

test('mounts that swap paths keep their contents', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  const [one, two] = [await mountAt(from, 'one/'), await mountAt(from, 'two/')];
  await put(from, one, 'a', '{"of":1}');
  await put(from, two, 'a', '{"of":2}');
  await sendSnapshot(from, to);
  await issue(to, 'one/a');
  const place = ({ id }: { readonly id: number }, path: string) =>
    from.store.write((tx) =>
      tx.run(from.store.build.updateTable('mount').set({ path }).where('id', '=', id).compile()),
    );
  await place(one, 'three/');
  await place(two, 'one/');
  await place(one, 'two/');
  await sendSnapshot(from, to);
  await expectEqual(from, to);
  expect(to.mounts.at('', 'one/')?.uuid).toBe(two.uuid);
});

test('a local mount is renamed to a free path if the primary has a mount at its path', async () => {
  await using from = await openPrimaryStore();
  await using to = await openSecondaryStore();
  await sendSnapshot(from, to);
  const local = (path: string) => mountAt(to, path, '', 'kv', true);
  const own = await local('own/');
  await local(`own-local-${own.id}/`);
  await mountAt(from, 'own/');
  await sendEntries(from, to);
  to.mounts.forget();
  expect(to.mounts.at('', `own-local-${own.id + 1}/`)?.uuid).toBe(own.uuid);
  expect(to.mounts.at('', 'own/')?.local).toBe(false);
  const path = `own-local-${own.id + 1}/`;
  expect(to.replication.renamed()).toEqual([
    { namespace: '', formerPath: 'own/', path, time: expect.any(Number) },
  ]);
  await mountAt(from, path);
  await sendSnapshot(from, to);
  to.mounts.forget();
  const last = `${path.slice(0, -1)}-local-${own.id}/`;
  expect(to.replication.renamed()).toMatchObject([
    { formerPath: 'own/', path: last },
    { formerPath: path, path: last },
  ]);
  const renamed = to.mounts.at('', last);
  if (renamed !== undefined) await to.mounts.remove(renamed);
  expect(to.replication.renamed()).toEqual([]);
});
