import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { badRequest } from '../core/refusal.ts';
import type { ReplicationRecords } from '../store/replication/record-store.ts';
import type { PathsFilter } from '../store/replication/replication-store.ts';
import type { SecondaryBook, SecondaryRecord } from './link/types.ts';

/** A cluster that was activated, as it is kept. */
export interface KnownSecondary extends SecondaryRecord {
  /** Milliseconds since the epoch: a first connection after that is refused. */
  readonly connectBy: number;
}

/** The clusters that a primary activated, and what it sends each of them. */
export interface Secondaries extends SecondaryBook {
  list(): readonly KnownSecondary[];
  /** The one that goes by an identifier, or has a cluster id. */
  find(id: string): KnownSecondary | undefined;
  /** Notes an activation. @param expireTime when its token expires. @throws Refusal 400 when the identifier is taken */
  add(name: string, expireTime: number): Promise<KnownSecondary>;
  remove(secondary: KnownSecondary): Promise<void>;
  /** The filter of an identifier or a cluster id, whether there is such a secondary or not yet. */
  filterOf(id: string): PathsFilter | undefined;
  /** @param filter undefined for none */
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
  const find = (id: string): KnownSecondary | undefined =>
    [...all().values()].find((each) => nameOf(each) === id || each.clusterId === id);
  const filters = (): Readonly<Record<string, PathsFilter>> =>
    (records.read('filters') as Readonly<Record<string, PathsFilter>> | undefined) ?? {};
  const filterKey = (id: string): string => {
    const secondary = find(id);
    return secondary === undefined ? id : nameOf(secondary);
  };
  const filterOf = (id: string): PathsFilter | undefined => {
    const kept = filters();
    return kept[filterKey(id)] ?? kept[id];
  };
  const remove = async ({ id }: KnownSecondary): Promise<void> => {
    all().delete(id);
    written.delete(id);
    await records.removeSecondary(id);
  };

  return {
    list: () => [...all().values()],
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
      const same =
        before.clusterId === record.clusterId &&
        before.apiAddress === record.apiAddress &&
        before.clusterAddress === record.clusterAddress;
      const now = clock.now();
      if (same && now - (written.get(record.id) ?? 0) < writeEvery) return;
      written.set(record.id, now);
      await records.saveSecondary(record.id, secondary);
    },
    filter: ({ id, clusterId }) =>
      filterOf(nameOf({ id })) ?? (clusterId === undefined ? undefined : filterOf(clusterId)),
    async add(name, expireTime) {
      if (!namePattern.test(name))
        throw badRequest('id must be 1 to 128 letters, digits and any of ". _ : @ -"');
      const before = find(name);
      if (before !== undefined) {
        if (!expired(before))
          throw badRequest(
            `there is a secondary with the id "${name}" already: revoke it first, or choose another id`,
          );
        await remove(before);
      }
      const secondary: KnownSecondary = {
        id: `${name}${separator}${randomBase62(12)}`,
        clusterId: undefined,
        apiAddress: '',
        clusterAddress: '',
        appliedSeq: undefined,
        lastHeartbeat: undefined,
        connectBy: expireTime + grace,
      };
      await records.saveSecondary(secondary.id, secondary);
      all().set(secondary.id, secondary);
      return secondary;
    },
    remove,
    filterOf,
    async saveFilter(id, filter) {
      const { [id]: _, [filterKey(id)]: __, ...others } = filters();
      await records.save('filters', filter === undefined ? others : { ...others, [filterKey(id)]: filter });
    },
    forget() {
      known = undefined;
      written.clear();
    },
  };
}
