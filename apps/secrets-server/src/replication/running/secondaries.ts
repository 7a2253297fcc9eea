import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { turns } from '@gatehouse/service-kit/turns';
import { badRequest } from '../../core/refusal.ts';
import type { TokenPerson } from '../../domain/token/token.ts';
import type { SecretsWriter } from '../../store/database.ts';
import type { ReplicationRecords } from '../../store/replication/records/record-store.ts';
import type { PathsFilter } from '../../store/replication/replication-store.ts';
import type { SecondaryBook, SecondaryRecord } from '../link/types.ts';

/** A stored secondary. */
export interface KnownSecondary extends SecondaryRecord {
  /** In milliseconds since the epoch; a first connection after this time is refused. */
  readonly connectBy: number;
  /** Who activated it. Once they may not, a first connection is refused. */
  readonly by: TokenPerson | null;
}

/** The secondaries that a primary has activated, and their filters. */
export interface Secondaries extends SecondaryBook {
  list(): readonly KnownSecondary[];
  /** Finds a secondary by its name or else by its cluster ID. */
  find(id: string): KnownSecondary | undefined;
  /**
   * Saves an activation after `make` has succeeded; the name is reserved in the meantime.
   * @param activation `expireTime` of the token, in milliseconds since the epoch
   * @throws Refusal 400 if the name is taken; also whatever `make` throws, and then nothing is saved
   */
  add<Made>(
    name: string,
    activation: { readonly expireTime: number; readonly by: TokenPerson | null },
    make: (id: string) => Promise<Made>,
  ): Promise<Made>;
  remove(secondary: KnownSecondary): Promise<void>;
  /**
   * Removes all secondaries and filters, which have no meaning after a promotion. They stay in memory until `forget`,
   * which is called once the removal is on disk.
   */
  removeAll(tx: SecretsWriter): void;
  /** Removes activations that expired, or whose maker lost the right, before their first use. */
  removeExpired(): Promise<void>;
  /** The filter of a name or cluster ID, even if the secondary does not exist yet. */
  filterOf(id: string): PathsFilter | undefined;
  /** Saves a filter under a name or a cluster ID; the latter stays with the cluster even if its name changes. */
  saveFilter(id: string, filter: PathsFilter | undefined): Promise<void>;
  /** Clears the cache. */
  forget(): void;
}

/** Valid names of secondaries, which are part of their certificates. */
const namePattern = /^[\w.:@-]{1,128}$/;

/** Separates the name in an ID from the random part that identifies the activation. */
const separator = '~';

/**
 * How long after its token's expiry an activation may first connect, in milliseconds: the token was redeemed in time,
 * and preparations followed.
 */
const grace = 300_000;

/** How often data that changes with every heartbeat is saved, in milliseconds. */
const writeEvery = 30_000;

/** The name that the administrator gave a secondary. */
export function nameOf({ id }: Pick<SecondaryRecord, 'id'>): string {
  return id.slice(0, id.lastIndexOf(separator));
}

/** @param personHolds whether a sign-in is still valid */
export function openSecondaries(
  records: ReplicationRecords,
  personHolds: (person: TokenPerson | null) => boolean,
  clock: Clock,
): Secondaries {
  let known: Map<string, KnownSecondary> | undefined;
  const written = new Map<string, number>();
  const all = (): Map<string, KnownSecondary> => {
    known ??= new Map(records.secondaries() as ReadonlyMap<string, KnownSecondary>);
    return known;
  };
  const expired = ({ clusterId, connectBy, by }: KnownSecondary): boolean =>
    clusterId === undefined && (clock.now() > connectBy || !personHolds(by));
  /** The secondary that may be promoted. */
  const allowed = (): string | undefined => records.read(successorName) as string | undefined;
  /** Runs changes of the secondary that may be promoted one after the other. */
  const inTurn = turns({ atOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });
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
    await records.removeSecondary(id);
    known?.delete(id);
    written.delete(id);
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
      // The secondary was revoked in the meantime.
      if (before === undefined) return;
      const secondary: KnownSecondary = { ...before, ...record };
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
      if (others.some(({ proof }) => proof === undefined || proof !== record.proof)) return undefined;
      const replaced = others.map(({ id }) => id);
      const secondary: KnownSecondary = { ...before, ...record };
      if (!(await records.saveSecondary(record.id, secondary, replaced))) return [];
      known?.set(record.id, secondary);
      for (const id of replaced) known?.delete(id);
      return replaced;
    },
    filter: ({ id }) => filterOf(nameOf({ id })),
    allowSuccessor: (id) =>
      inTurn('', async () => {
        const before = allowed();
        if (before === id) return true;
        if (before !== undefined && all().has(before)) return false;
        await records.save(successorName, id);
        return true;
      }),
    forgetSuccessor: (id) =>
      inTurn('', async () => {
        const before = allowed();
        if (before !== undefined && (id ?? before) === before) await records.remove(successorName);
      }),
    async add(name, { expireTime, by }, make) {
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
        by,
      };
      all().set(secondary.id, secondary);
      try {
        await removeExpired();
        const made = await make(secondary.id);
        await records.addSecondary(secondary.id, secondary);
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
      // Each filter is a separate row, so that simultaneous changes don't overwrite each other.
      const former = filterNames(id).map(filterRow);
      if (filter === undefined) await records.remove(...former);
      else await records.save(filterRow(id), filter, (tx) => records.removeWithin(tx, former));
    },
    forget() {
      known = undefined;
      written.clear();
    },
  };
}

const successorName = 'successor';

function filterRow(name: string): string {
  return `filter/${name}`;
}

/** Whether two records have the same cluster ID and addresses. */
function isSameCluster(before: SecondaryRecord, now: SecondaryRecord): boolean {
  return (
    before.clusterId === now.clusterId &&
    before.apiAddress === now.apiAddress &&
    before.clusterAddress === now.clusterAddress &&
    before.proof === now.proof
  );
}
