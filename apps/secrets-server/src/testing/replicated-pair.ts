import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Mount } from '../core/mount.ts';
import { defaultConfig } from '../store/mounts.ts';
import { openReplicationStore } from '../store/replication/open-replication-store.ts';
import type { PathsFilter } from '../store/replication/replication-store.ts';
import { openReplicatedStore } from './replicated-store.ts';
import type { ReplicatedStore } from './replicated-store.ts';

/** The key of a replication set's digests. */
export const setKey = randomBytes(32);
/** Effectively unlimited. */
export const allEntries = { entries: 1000, bytes: 1e9 };

export async function mountAt(
  cluster: ReplicatedStore,
  path: string,
  namespace = '',
  type = 'kv',
  local = false,
): Promise<Mount> {
  const rest = { description: '', options: null, config: defaultConfig };
  return cluster.mounts.add({ namespace, path, type, local, ...rest });
}

/** Opens a store as a primary, with the initial policies. */
export async function openPrimaryStore(): Promise<ReplicatedStore> {
  const cluster = await openReplicatedStore();
  await cluster.policies.ensureInitial('');
  await cluster.replication.beginEpoch(true);
  cluster.replication.capture = 'keep';
  return cluster;
}

/** Opens a store that accepts only a primary's records. */
export async function openSecondaryStore(): Promise<ReplicatedStore> {
  const cluster = await openReplicatedStore();
  cluster.replication.capture = 'refuse';
  return cluster;
}

const noWait = () => Promise.resolve();

/** Sends a snapshot, including the removal of other records. Returns the number of entries kept as lost. */
export async function sendSnapshot(
  from: ReplicatedStore,
  to: ReplicatedStore,
  filter?: PathsFilter,
): Promise<number> {
  const { position, chunks } = from.replication.snapshot(filter, noWait);
  await to.replication.beginSnapshot(position, filter);
  for await (const chunk of chunks) await to.replication.snapshotChunk(chunk);
  const lost = await to.replication.endSnapshot(position);
  to.mounts.forget();
  to.policies.forget();
  return lost;
}

/** Sends new entries, up to a number. @param isCold reads all entries from the disk, as after a restart */
export async function sendEntries(
  from: ReplicatedStore,
  to: ReplicatedStore,
  filter?: PathsFilter,
  most = 1000,
  isCold = false,
) {
  const { seq } = to.replication.position();
  const log = isCold ? openReplicationStore(from.store, from.barrier, from.clock) : from.replication;
  const entries = log.entriesAfter(seq, { ...allEntries, entries: most }) ?? [];
  const upTo = entries.at(-1)?.seq ?? seq;
  await to.replication.apply(
    from.replication.filtered(entries, filter),
    upTo,
    from.replication.position().history,
  );
}

/** Expects two clusters to have the same records at the same position. */
export async function expectEqual(
  one: ReplicatedStore,
  other: ReplicatedStore,
  filter?: PathsFilter,
): Promise<void> {
  const expected = await one.replication.digest(setKey, filter, noWait);
  expect(expected.records).toBeGreaterThan(0);
  expect(await other.replication.digest(setKey, undefined, noWait)).toEqual(expected);
}

/** Writes the next version of a key. */
export const put = (cluster: ReplicatedStore, mount: Mount, path: string, value: string) =>
  cluster.kv.change(mount.id, path, cluster.clock.now(), (change) => change.addVersion(value).version);
