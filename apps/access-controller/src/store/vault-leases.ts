import type { Log } from '@gatehouse/service-kit/log';
import { withParameters } from '@gatehouse/service-kit/store';
import type { Store, Writer } from '@gatehouse/service-kit/store';
import { withoutConditions } from '@gatehouse/service-kit/write-queue';
import { sql } from 'kysely';
import type { Lease } from '../domain/vault-store/lease.ts';
import type { Schema } from './schema.ts';
import { overTime, type VaultLeaseTable } from './vault-schema.ts';
import { dueOf } from './vault-tokens.ts';
import type { Due } from './vault-tokens.ts';

export type VaultLeaseStore = ReturnType<typeof vaultLeaseStore>;

/**
 * The leases of each token that are due first: as many as a round handles or, with many tokens, a few of each, since
 * one token may have any number.
 */
const mostUrgent = `(
  WITH RECURSIVE token (id) AS MATERIALIZED (
    SELECT min(token_id) FROM vault_lease
    UNION ALL
    SELECT (SELECT min(token_id) FROM vault_lease WHERE token_id > token.id) FROM token WHERE id IS NOT NULL
  )
  SELECT vault_lease.id, vault_lease.due_time, vault_token.server
  FROM token JOIN vault_token ON vault_token.id = token.id JOIN vault_lease ON vault_lease.id IN (
    SELECT id FROM vault_lease WHERE token_id = token.id AND due_time <= ?1
    ORDER BY due_time LIMIT max(4, 5000 / (SELECT count(*) FROM token))
  )
) AS due`;

/** Most expired leases that one round deletes. */
const mostForgotten = 5_000;

/** Most leases to revoke that are kept in memory. */
const mostUnstored = 5_000;

/** Stores the leases of credentials issued for sessions. */
export function vaultLeaseStore(store: Store<Schema>, log: Log) {
  const { build } = store;
  const byId = build.selectFrom('vault_lease').selectAll().where('id', '=', '').compile();
  const due = dueOf(mostUrgent, 'due_time').compile(build);
  const over = `FROM vault_lease WHERE ${overTime} <= ?1 AND status = 'active'`;
  const anyOver = sql.raw(`SELECT id ${over} LIMIT 1`).compile(build);
  const tokensOver = sql
    .raw(
      `UPDATE vault_token SET due_time = ?1 WHERE status = 'maintaining' AND id IN (SELECT token_id ${over} LIMIT ${mostForgotten})`,
    )
    .compile(build);
  const forget = sql
    .raw(`DELETE FROM vault_lease WHERE id IN (SELECT id ${over} LIMIT ${mostForgotten})`)
    .compile(build);
  /** Leases to revoke that couldn't be stored. A restart forgets them, and they end with their time to live. */
  const unstored = new Map<string, Lease>();
  return {
    get(id: string): Lease | undefined {
      const kept = unstored.get(id);
      if (kept !== undefined) return kept;
      const row = store.get(withParameters(byId, id));
      return row === undefined ? undefined : toLease(row);
    },
    /** Leases in memory come first, each token as a server of its own. */
    due: (now: number): Due[] => [
      ...[...unstored.values()]
        .filter(({ dueTime }) => dueTime <= now)
        .map(({ id, tokenId }) => ({ id, server: tokenId })),
      ...store.all(withParameters(due, now)),
    ],

    /**
     * Deletes leases that have expired or can't be renewed, many at once, since nothing else is left to do about
     * them.
     */
    async forgetOver(now: number): Promise<void> {
      if (store.get(withParameters(anyOver, now)) === undefined) return;
      await store.write((tx) => {
        tx.run(withParameters(tokensOver, now));
        tx.run(withParameters(forget, now));
      });
    },

    /** Stores the changed lease, unless its stored status has changed since it was read. */
    async save(lease: Lease): Promise<void> {
      if (unstored.has(lease.id)) {
        unstored.set(lease.id, lease);
        return;
      }
      await store.write((tx) => {
        // A lease whose revocation has become due since then keeps that due time, whatever its renewal returned.
        const kept = build.updateTable('vault_lease').set(toRow(lease)).where('id', '=', lease.id);
        tx.run(kept.where('status', '=', lease.status).compile());
      });
    },

    /**
     * Stores leases without a session, to be revoked, whatever the current work requires: its failure may be why they
     * have no session. If the store can't be written, which may be why too, keeps them in memory.
     */
    async abandon(leases: readonly Lease[], now: number): Promise<void> {
      const revoking = leases.map((lease): Lease => ({ ...lease, status: 'revoking', dueTime: now }));
      try {
        await withoutConditions(() => store.write((tx) => insertLeases(tx, revoking)));
      } catch (error) {
        for (const lease of revoking) {
          if (unstored.size < mostUnstored) unstored.set(lease.id, lease);
          // The server's ID, because only the server knows this lease after a restart.
          log.error('lease to revoke not stored', { resourceId: lease.leaseId, error });
        }
      }
    },

    /** Deletes a lease. A replaced token becomes due, since this may have been its last lease. */
    async remove(lease: Lease, now: number): Promise<void> {
      if (unstored.delete(lease.id)) return;
      await store.write((tx) => {
        tx.run(build.deleteFrom('vault_lease').where('id', '=', lease.id).compile());
        tx.run(
          build
            .updateTable('vault_token')
            .set({ due_time: now })
            .where('id', '=', lease.tokenId)
            .where('status', '=', 'maintaining')
            .compile(),
        );
      });
    },
  };
}

/** Stores leases in the caller's transaction. Skips leases of deleted tokens. */
export function insertLeases(tx: Writer<Schema>, leases: readonly Lease[]): void {
  for (const lease of leases) {
    const token = tx.build.selectFrom('vault_token').select('id').where('id', '=', lease.tokenId);
    if (tx.get(token.compile()) === undefined) continue;
    tx.run(tx.build.insertInto('vault_lease').values(toRow(lease)).compile());
  }
}

function toLease(row: VaultLeaseTable): Lease {
  return {
    id: row.id,
    leaseId: row.lease_id,
    tokenId: row.token_id,
    sessionId: row.session_id,
    userId: row.user_id,
    libraryId: row.library_id,
    status: row.status,
    renewable: row.renewable !== 0,
    expirationTime: row.expiration_time,
    dueTime: row.due_time,
    failures: row.failures,
  };
}

function toRow(lease: Lease): VaultLeaseTable {
  return {
    id: lease.id,
    lease_id: lease.leaseId,
    token_id: lease.tokenId,
    session_id: lease.sessionId,
    user_id: lease.userId,
    library_id: lease.libraryId,
    status: lease.status,
    renewable: lease.renewable ? 1 : 0,
    expiration_time: lease.expirationTime,
    due_time: lease.dueTime,
    failures: lease.failures,
  };
}
