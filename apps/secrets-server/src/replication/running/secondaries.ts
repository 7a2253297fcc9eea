import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { badRequest } from '../../core/refusal.ts';
import type { SecretsWriter } from '../../store/database.ts';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { PathsFilter } from '../../store/replication/replication-store.ts';
import type { SecondaryBook, SecondaryRecord } from '../link/types.ts';

/** A cluster that was activated, as it is kept. */
export interface KnownSecondary extends SecondaryRecord {
  /** Milliseconds since the epoch: a first connection after that is refused. */
  readonly connectBy: number;
}

/** The clusters that a primary activated, and what it sends each of them. */
export interface Secondaries extends SecondaryBook {
  list(): readonly KnownSecondary[];
  /** The one that goes by an identifier; if there is none, the one that has this cluster id. */
  find(id: string): KnownSecondary | undefined;
  /**
   * Keeps an activation once `make` has made what it is used with; the identifier is taken meanwhile.
   * @param expireTime when its token expires, in milliseconds since the epoch
   * @throws Refusal 400 when the identifier is taken; what `make` throws, and then nothing is kept
   */
  add<Made>(name: string, expireTime: number, make: (id: string) => Promise<Made>): Promise<Made>;
  remove(secondary: KnownSecondary): Promise<void>;
  /**
   * Removes all of them, and all filters: those of an earlier time as primary say nothing of who comes now. They are known
   * until `forget`, which is called once that is on disk.
   */
  removeAll(tx: SecretsWriter): void;
  /** Removes the activations that nobody used in time. */
  removeExpired(): Promise<void>;
  /** The filter of an identifier or a cluster id, whether there is such a secondary or not yet. */
  filterOf(id: string): PathsFilter | undefined;
  /** A filter is kept under what names it: that of a cluster id stays with the cluster under whatever identifier it comes. */
  saveFilter(id: string, filter: PathsFilter | undefined): Promise<void>;
  /** Reads from the store again. */
  forget(): void;
}

/** What a secondary may be called; it stands in its certificate. */
const namePattern = /^[\w.:@-]{1,128}$/;

/** Between the name that people gave and what tells activations under it apart. */
const separator = '~';

/** How much later than its token's end an activation may connect first, in milliseconds: it was taken in time, and then prepared for. */
const grace = 300_000;

/** How often what changes with every heartbeat is written, in milliseconds. */
const writeEvery = 30_000;

/** The name that people gave a secondary. */
export function nameOf({ id }: Pick<SecondaryRecord, 'id'>): string {
  return id.slice(0, id.lastIndexOf(separator));
}

/** Keeps the secondaries of a primary. */
export function openSecondaries(records: ReplicationRecords, clock: Clock): Secondaries {
  let known: Map<string, KnownSecondary> | undefined;
  const written = new Map<string, number>();
  const all = (): Map<string, KnownSecondary> => {
    known ??= new Map(records.secondaries() as ReadonlyMap<string, KnownSecondary>);
    return known;
  };
  const expired = ({ clusterId, connectBy }: KnownSecondary): boolean =>
    clusterId === undefined && clock.now() > connectBy;
  const list = (): readonly KnownSecondary[] => [...all().values()].filter((each) => !expired(each));
  const find = (id: string): KnownSecondary | undefined =>
    list().find((each) => nameOf(each) === id) ?? list().find(({ clusterId }) => clusterId === id);
  const filterNames = (id: string): readonly string[] => {
    const secondary = find(id);
    if (secondary === undefined) return [id];
    const { clusterId } = secondary;
    return [nameOf(secondary), ...(clusterId === undefined ? [] : [clusterId])];
  };
  const filterOf = (id: string): PathsFilter | undefined => {
    for (const name of filterNames(id)) {
      const filter = records.read(filterRow(name)) as PathsFilter | undefined;
      if (filter !== undefined) return filter;
    }
    return undefined;
  };
  const remove = async ({ id }: KnownSecondary): Promise<void> => {
    all().delete(id);
    written.delete(id);
    await records.removeSecondary(id);
  };
  const removeExpired = async (): Promise<void> => {
    for (const each of all().values()) if (expired(each)) await remove(each);
  };

  return {
    list,
    find,
    get(id) {
      const secondary = all().get(id);
      return secondary === undefined || expired(secondary) ? undefined : secondary;
    },
    async save(record) {
      const before = all().get(record.id);
      // It was revoked meanwhile.
      if (before === undefined) return;
      const secondary: KnownSecondary = { ...record, connectBy: before.connectBy };
      all().set(record.id, secondary);
      const now = clock.now();
      if (isSameCluster(before, record) && now - (written.get(record.id) ?? 0) < writeEvery) return;
      written.set(record.id, now);
      await records.saveSecondary(record.id, secondary);
    },
    async claim(record) {
      const before = all().get(record.id);
      if (before === undefined) return [];
      const others = [...all().values()].filter(
        ({ id, clusterId }) => id !== record.id && clusterId === record.clusterId,
      );
      const replaced = others.map(({ id }) => id);
      const secondary: KnownSecondary = { ...record, connectBy: before.connectBy };
      all().set(record.id, secondary);
      for (const id of replaced) all().delete(id);
      await records.saveSecondary(record.id, secondary, replaced);
      return replaced;
    },
    filter: ({ id }) => filterOf(nameOf({ id })),
    async add(name, expireTime, make) {
      if (!namePattern.test(name))
        throw badRequest('id must be 1 to 128 letters, digits and any of ". _ : @ -"');
      if (find(name) !== undefined)
        throw badRequest(
          `a secondary with the id "${name}" already exists. Revoke it first, or choose another id.`,
        );
      const secondary: KnownSecondary = {
        id: `${name}${separator}${randomBase62(12)}`,
        clusterId: undefined,
        apiAddress: '',
        clusterAddress: '',
        appliedSeq: undefined,
        lastHeartbeat: undefined,
        connectBy: expireTime + grace,
      };
      all().set(secondary.id, secondary);
      try {
        await removeExpired();
        const made = await make(secondary.id);
        await records.saveSecondary(secondary.id, secondary);
        return made;
      } catch (error) {
        all().delete(secondary.id);
        throw error;
      }
    },
    remove,
    removeAll: (tx) => records.removeSecondaries(tx, filterRow('')),
    removeExpired,
    filterOf,
    async saveFilter(id, filter) {
      // Each filter is a row of its own: two that are saved at once both last.
      if (filter !== undefined) await records.save(filterRow(id), filter);
      const others = filterNames(id).filter((name) => filter === undefined || name !== id);
      for (const name of others) await records.remove(filterRow(name));
    },
    forget() {
      known = undefined;
      written.clear();
    },
  };
}

/** Name of the record that has a filter. */
function filterRow(name: string): string {
  return `filter/${name}`;
}

/** Whether what a record tells of its cluster is what it told before. */
function isSameCluster(before: SecondaryRecord, now: SecondaryRecord): boolean {
  return (
    before.clusterId === now.clusterId &&
    before.apiAddress === now.apiAddress &&
    before.clusterAddress === now.clusterAddress
  );
}
