import { withParameters } from '@gatehouse/service-kit/store';
import type { Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';
import type { LeaseTable } from './identity-schema.ts';
import type { Schema } from './schema.ts';

/** A lease as it is kept. */
export interface LeaseRecord {
  /** The path that issued it, and a random part: `cloud/creds/deploy/…`. Unique in its namespace. */
  readonly id: string;
  readonly namespace: string;
  /** Which engine takes it back. */
  readonly engine: string;
  /** Number of the mount that issued it, whatever its path is now; 0 if unknown. */
  readonly mountId: number;
  /** Hash of the token that it was issued to. */
  readonly token: string | null;
  /** Milliseconds since the epoch, as all times here. */
  readonly issueTime: number;
  readonly expireTime: number;
  /** It cannot be renewed beyond. */
  readonly maxExpireTime: number;
  readonly lastRenewalTime: number | null;
  readonly renewable: boolean;
  /** How often taking it back failed. */
  readonly attempts: number;
  /** What the engine knows it by. Decrypted when it is read. */
  readonly data: unknown;
}

/** Leases on disk. */
export type LeaseStore = ReturnType<typeof leaseStore>;

/** Most leases that one sweep takes up. */
const sweepSize = 100;

/** Leases of the secrets server's store. */
export function leaseStore(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const place = (namespace: string, id: string): string => `lease/${namespace}\0${id}`;
  const recordOf = (row: Selectable<LeaseTable>): LeaseRecord => ({
    id: row.id,
    namespace: row.namespace,
    engine: row.engine,
    mountId: row.mount_id ?? 0,
    token: row.token,
    issueTime: row.issue_time,
    expireTime: row.expire_time,
    maxExpireTime: row.max_expire_time,
    lastRenewalTime: row.last_renewal_time,
    renewable: row.renewable !== 0,
    attempts: row.attempts,
    // Most leases are only listed, ended or put off.
    get data() {
      return JSON.parse(barrier.open(row.sealed, place(row.namespace, row.id)).toString('utf8')) as unknown;
    },
  });
  const selectById = build
    .selectFrom('lease')
    .selectAll()
    .where('namespace', '=', '')
    .where('id', '=', '')
    .compile();
  /** One parameter, however many they are. */
  const isOneOf = (ids: readonly string[]) =>
    sql<boolean>`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const atOnce = (now: number) => ({ expire_time: now, max_expire_time: now, next_attempt_time: now });

  return {
    /**
     * Keeps a lease, unless the token that it is for is gone: whether it did.
     * @param within what is changed with it
     */
    async add(lease: LeaseRecord, within?: (tx: Writer<Schema>) => void): Promise<boolean> {
      const row: LeaseTable = {
        id: lease.id,
        namespace: lease.namespace,
        engine: lease.engine,
        mount_id: lease.mountId,
        token: lease.token,
        issue_time: lease.issueTime,
        expire_time: lease.expireTime,
        max_expire_time: lease.maxExpireTime,
        last_renewal_time: lease.lastRenewalTime,
        renewable: lease.renewable ? 1 : 0,
        attempts: lease.attempts,
        next_attempt_time: lease.expireTime,
        sealed: barrier.seal(JSON.stringify(lease.data ?? null), place(lease.namespace, lease.id)),
      };
      const holder = build.selectFrom('token').select('hash').where('hash', '=', lease.token).compile();
      return store.write((tx) => {
        if (lease.token !== null && tx.get(holder) === undefined) return false;
        tx.run(build.insertInto('lease').values(row).compile());
        within?.(tx);
        return true;
      });
    },

    get(namespace: string, id: string): LeaseRecord | undefined {
      const row = store.get(withParameters(selectById, namespace, id));
      return row === undefined ? undefined : recordOf(row);
    },

    /** Ids that begin with `prefix`, in order. */
    ids: (namespace: string, prefix: string): string[] =>
      store
        .all(
          build
            .selectFrom('lease')
            .select('id')
            .where('namespace', '=', namespace)
            .where('id', '>=', prefix)
            // The greatest character: whatever begins with the prefix sorts before it.
            .where('id', '<', `${prefix}\u{10ffff}`)
            .orderBy('id')
            .compile(),
        )
        .map(({ id }) => id),

    idsOfMount: (mountId: number): string[] =>
      store
        .all(build.selectFrom('lease').select('id').where('mount_id', '=', mountId).compile())
        .map(({ id }) => id),

    hasOfMount: (mountId: number): boolean =>
      store.get(build.selectFrom('lease').select('id').where('mount_id', '=', mountId).limit(1).compile()) !==
      undefined,

    async extend(lease: LeaseRecord, expireTime: number, now: number): Promise<boolean> {
      const set = { expire_time: expireTime, next_attempt_time: expireTime, last_renewal_time: now };
      const changed = await store.write((tx) =>
        tx.run(
          build
            .updateTable('lease')
            .set(set)
            .where('namespace', '=', lease.namespace)
            .where('id', '=', lease.id)
            // One that ended meanwhile stays ended.
            .where('expire_time', '=', lease.expireTime)
            .compile(),
        ),
      );
      return changed > 0;
    },

    /** Lets leases end at once; they stay until the engine has taken them back. */
    async end(namespace: string, ids: readonly string[], now: number): Promise<void> {
      const all = build.updateTable('lease').set(atOnce(now)).where('namespace', '=', namespace);
      await store.write((tx) => tx.run(all.where(isOneOf(ids)).compile()));
    },

    /** The same for those of a mount that have not ended yet. */
    async endOfMount(mountId: number, now: number): Promise<void> {
      const all = build.updateTable('lease').set(atOnce(now)).where('mount_id', '=', mountId);
      await store.write((tx) => tx.run(all.where('expire_time', '>', now).compile()));
    },

    /** The same for all that were issued to a token, within its removal. */
    endOfToken(tx: Writer<Schema>, token: string, now: number): void {
      tx.run(build.updateTable('lease').set(atOnce(now)).where('token', '=', token).compile());
    },

    async endOfNamespace(namespace: string, now: number): Promise<void> {
      await store.write((tx) =>
        tx.run(build.updateTable('lease').set(atOnce(now)).where('namespace', '=', namespace).compile()),
      );
    },

    /** What is to be taken back now, the longest due first. @param held how many of them are being taken back already */
    due: (now: number, held: number): LeaseRecord[] =>
      store
        .all(
          build
            .selectFrom('lease')
            .selectAll()
            .where('next_attempt_time', '<=', now)
            .orderBy('next_attempt_time')
            .limit(sweepSize + held)
            .compile(),
        )
        .map(recordOf),

    async failed(lease: LeaseRecord, nextAttemptTime: number): Promise<void> {
      const set = { attempts: lease.attempts + 1, next_attempt_time: nextAttemptTime };
      await store.write((tx) =>
        tx.run(
          build
            .updateTable('lease')
            .set(set)
            .where('namespace', '=', lease.namespace)
            .where('id', '=', lease.id)
            .compile(),
        ),
      );
    },

    async remove(namespace: string, ids: readonly string[]): Promise<void> {
      const all = build.deleteFrom('lease').where('namespace', '=', namespace);
      await store.write((tx) => tx.run(all.where(isOneOf(ids)).compile()));
    },
  };
}
