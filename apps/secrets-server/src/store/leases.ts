import { withParameters, writeInParts } from '@gatehouse/service-kit/store';
import type { Writer } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { RawBuilder, Selectable, SqlBool } from 'kysely';
import type { Barrier } from './barrier.ts';
import type { SecretsStore } from './database.ts';
import type { LeaseTable } from './identity-schema.ts';
import type { Schema } from './schema.ts';

/** A stored lease. */
export interface LeaseRecord {
  /** The path that issued the lease plus a random part: `cloud/creds/deploy/…`. Unique in its namespace. */
  readonly id: string;
  readonly namespace: string;
  /** The engine that revokes the lease. */
  readonly engine: string;
  /** The number of the mount that issued the lease, which outlasts path changes; 0 if unknown. */
  readonly mountId: number;
  /** Hash of the token that the lease was issued to. */
  readonly token: string | null;
  /** In milliseconds since the epoch, like all times here. */
  readonly issueTime: number;
  readonly expireTime: number;
  /** The latest time to which renewals can extend the lease. */
  readonly maxExpireTime: number;
  readonly lastRenewalTime: number | null;
  readonly renewable: boolean;
  /** The number of failed revocations. */
  readonly attempts: number;
  /** The engine's data, decrypted on access. */
  readonly data: unknown;
}

/** Where an ended lease is stored. */
export interface EndedLease {
  readonly row: number;
  readonly expire_time: number;
  readonly id: string;
}

const noLease: EndedLease = { row: 0, expire_time: 0, id: '' };

export type LeaseStore = ReturnType<typeof leaseStore>;

/** The maximum number of leases in one sweep. */
const sweepSize = 100;
/** The number of leases that one statement changes, in about a millisecond. */
const changedAtOnce = 200;

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
    // Decrypted on access, because most leases are only listed, ended or postponed.
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
  /** @param step changes the leases that match `some` */
  const eachPart = (
    ids: readonly string[],
    step: (tx: Writer<Schema>, some: RawBuilder<SqlBool>) => void,
  ): Promise<void> => {
    let done = 0;
    return writeInParts(store, (tx, isOver) => {
      do {
        const part = JSON.stringify(ids.slice(done, done + changedAtOnce));
        step(tx, sql`id IN (SELECT value FROM json_each(${part}))`);
        done += changedAtOnce;
      } while (done < ids.length && !isOver());
      return done >= ids.length;
    });
  };
  const atOnce = (now: number) => ({ expire_time: now, max_expire_time: now, next_attempt_time: now });
  /** Ends the leases that have a value in a column and have not ended yet. */
  const endAll = (column: 'mount_id' | 'namespace', value: string | number, now: number): Promise<void> => {
    const some = build
      .selectFrom('lease')
      .select(sql`rowid`.as('rowid'))
      .where(column, '=', value)
      .where('expire_time', '>', now)
      .limit(changedAtOnce);
    const part = build
      .updateTable('lease')
      .set(atOnce(now))
      .where(sql`rowid`, 'in', some)
      .compile();
    return writeInParts(store, (tx, isOver) => {
      while (tx.run(part) > 0) if (isOver()) return false;
      return true;
    });
  };

  return {
    /**
     * Stores a lease unless its token was revoked; returns whether it did.
     * @param within further changes in the same transaction
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

    /**
     * IDs that begin with `prefix`, in order.
     * @param from the first ID; defaults to all
     * @param limit the maximum number; -1 for all
     */
    ids: (namespace: string, prefix: string, from = prefix, limit = -1): string[] =>
      store
        .all(
          build
            .selectFrom('lease')
            .select('id')
            .where('namespace', '=', namespace)
            .where('id', '>=', from)
            // The greatest character, so that all IDs with the prefix sort before the bound.
            .where('id', '<', `${prefix}\u{10ffff}`)
            .orderBy('id')
            .limit(limit)
            .compile(),
        )
        .map(({ id }) => id),

    /** Some IDs of a mount's ended leases, in the order in which they ended. @param after the last row before them */
    endedOfMount: (mountId: number, after: EndedLease = noLease): EndedLease[] =>
      store.all(
        build
          .selectFrom('lease')
          .select([sql<number>`rowid`.as('row'), 'expire_time', 'id'])
          .where('mount_id', '=', mountId)
          .where(sql<SqlBool>`(expire_time, rowid) > (${after.expire_time}, ${after.row})`)
          .orderBy('expire_time')
          .orderBy(sql`rowid`)
          .limit(changedAtOnce)
          .compile(),
      ),

    countOfMount: (mountId: number): number =>
      store.get(
        build
          .selectFrom('lease')
          .select(({ fn }) => fn.countAll<number>().as('leases'))
          .where('mount_id', '=', mountId)
          .compile(),
      )?.leases ?? 0,

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
            // Excludes a lease that ended during the renewal, but not one that was renewed twice.
            .where('max_expire_time', '=', lease.maxExpireTime)
            .where('expire_time', '>', now)
            .compile(),
        ),
      );
      return changed > 0;
    },

    /** Ends leases at once. They remain stored until the engine has revoked them. */
    async end(namespace: string, ids: readonly string[], now: number): Promise<void> {
      const all = build.updateTable('lease').set(atOnce(now)).where('namespace', '=', namespace);
      await eachPart(ids, (tx, some) => tx.run(all.where(some).compile()));
    },

    endOfMount: (mountId: number, now: number): Promise<void> => endAll('mount_id', mountId, now),

    endOfNamespace: (namespace: string, now: number): Promise<void> => endAll('namespace', namespace, now),

    /**
     * Ends some leases of a token, which they then no longer name.
     * @returns whether none is left, so that the token can be removed in the same transaction
     */
    endSomeOfToken(tx: Writer<Schema>, token: string, now: number): boolean {
      const some = build
        .selectFrom('lease')
        .select(sql`rowid`.as('rowid'))
        .where('token', '=', token)
        .limit(changedAtOnce);
      const part = build.updateTable('lease').set({ ...atOnce(now), token: null });
      return tx.run(part.where(sql`rowid`, 'in', some).compile()) < changedAtOnce;
    },

    /** The leases to revoke now, longest overdue first. @param held the number of revocations already in progress */
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
      await eachPart(ids, (tx, some) => tx.run(all.where(some).compile()));
    },
  };
}
