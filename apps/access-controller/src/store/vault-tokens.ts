import type { Reader, Store, Writer } from '@gatehouse/service-kit/store';
import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import { Refusal } from '../domain/refusal.ts';
import type { StoreToken } from '../domain/vault-store/token.ts';
import { touch } from './resources.ts';
import type { Schema } from './schema.ts';
import type { VaultTokenTable } from './vault-schema.ts';

/** A token or lease with work to do. */
export interface Due {
  readonly id: string;
  /** The host that the work is done at. */
  readonly server: string;
}

/**
 * Builds a query of the items due at a time: 5,000 in total, the most urgent one of each server before the second one
 * of any. This keeps a server with many due items from hiding those of another.
 * @param from the table, with its own `id` and `due_time` and with the `server`
 * @param urgency the column whose smallest value is the most urgent
 */
export function dueOf(from: string, urgency: string) {
  return sql.raw<Due>(
    `SELECT id, server FROM (
       SELECT due.id, server, due.${urgency} AS urgency,
         row_number() OVER (PARTITION BY server ORDER BY due.${urgency}) AS place
       FROM ${from} WHERE due.due_time <= ?1)
     ORDER BY place, urgency LIMIT 5000`,
  );
}

export type VaultTokenStore = ReturnType<typeof vaultTokenStore>;

/** Stores the tokens of credential stores of type vault, until they are revoked, including replaced ones. */
export function vaultTokenStore(store: Store<Schema>) {
  const { build } = store;
  const byId = build.selectFrom('vault_token').selectAll().where('id', '=', '').compile();
  const due = dueOf('vault_token AS due', 'expiration_time').compile(build);
  const lease = sql.raw('SELECT id FROM vault_lease WHERE token_id = ? LIMIT 1').compile(build);
  return {
    get(id: string): StoreToken | undefined {
      const row = store.get(withParameters(byId, id));
      return row === undefined ? undefined : toToken(row);
    },
    due: (now: number): Due[] => store.all(withParameters(due, now)),
    /** Whether a token has leases to renew or revoke. */
    hasLeases: (id: string): boolean => store.get(withParameters(lease, id)) !== undefined,

    /** Replaces a token by the result of `change` on its present state. The token may be gone. */
    change: (id: string, change: (current: StoreToken) => StoreToken): Promise<void> =>
      store.write((tx) => {
        const row = tx.get(withParameters(byId, id));
        if (row === undefined) return;
        const before = toToken(row);
        const after = change(before);
        tx.run(
          build.updateTable('vault_token').set(toRow(row.store_id, after)).where('id', '=', id).compile(),
        );
        // The store shows its token's status and expiration, so lists of stores change too.
        touch(tx, 'credential_store', [row.store_id]);
      }),

    /** Deletes a token and its leases. */
    remove: (id: string): Promise<void> =>
      store.write((tx) => {
        tx.run(build.deleteFrom('vault_lease').where('token_id', '=', id).compile());
        tx.run(build.deleteFrom('vault_token').where('id', '=', id).compile());
      }),
  };
}

/** The tokens of the stores: the token in use, or the last one if it has expired or been revoked. */
export function tokensOf(
  reader: Reader<Schema>,
  storeIds: readonly string[],
): (storeId: string) => StoreToken | undefined {
  const own = sql
    .raw<VaultTokenTable>(
      `SELECT * FROM vault_token
       WHERE store_id IN (SELECT value FROM json_each(?)) AND status <> 'maintaining'`,
    )
    .compile(reader.build);
  const rows = reader.all(withParameters(own, JSON.stringify(storeIds)));
  const tokens = new Map(rows.map((row) => [row.store_id, toToken(row)]));
  return (storeId) => tokens.get(storeId);
}

/**
 * Most tokens of all stores. This process renews each one in time, and a user could keep it busy with more. New
 * stores are refused at half of this number, which leaves room to replace the tokens of existing stores. Above the
 * full number, a store can have only one earlier token.
 */
const mostTokens = 4_000;
/** Most earlier tokens of one store that wait for their leases to end. */
const mostEarlier = 20;

/**
 * Stores a store's new token. Its previous one stays for its leases, and is revoked after them.
 * @throws Refusal `failed precondition` if there are too many tokens
 */
export function saveToken(
  tx: Writer<Schema>,
  storeId: string,
  token: StoreToken,
  before: StoreToken | undefined,
  now: number,
): void {
  const { build } = tx;
  if (before?.id === token.id) {
    tx.run(build.updateTable('vault_token').set(toRow(storeId, token)).where('id', '=', token.id).compile());
    return;
  }
  const { all, earlier } = tx.get(
    withParameters(
      sql
        .raw<{ all: number; earlier: number }>(
          `SELECT count(*) AS "all", count(*) FILTER (WHERE status = 'maintaining' AND store_id = ?) AS earlier
           FROM vault_token`,
        )
        .compile(build),
      storeId,
    ),
  ) ?? { all: 0, earlier: 0 };
  if (before === undefined && all >= mostTokens / 2)
    throw new Refusal(
      'failed precondition',
      `The access controller already has ${all.toLocaleString('en')} tokens of secrets servers. Delete credential stores first: their tokens go as soon as they are revoked, or have expired.`,
    );
  if (earlier >= (all < mostTokens ? mostEarlier : 1))
    throw new Refusal(
      'failed precondition',
      `This credential store still has earlier tokens (${earlier.toLocaleString('en')}) that are revoked when the sessions that use their credentials end. Cancel those sessions, or wait until the tokens have expired.`,
    );
  if (before !== undefined) retire(tx, storeId, now);
  tx.run(build.insertInto('vault_token').values(toRow(storeId, token)).compile());
}

/** Releases the tokens of deleted stores: their leases are revoked, then the tokens. */
export function releaseTokens(tx: Writer<Schema>, storeIds: readonly string[], now: number): void {
  for (const storeId of storeIds) {
    retire(tx, storeId, now);
    const leases = sql
      .raw(
        `UPDATE vault_lease SET status = 'revoking', due_time = ?
         WHERE token_id IN (SELECT id FROM vault_token WHERE store_id = ?)`,
      )
      .compile(tx.build);
    tx.run(withParameters(leases, now, storeId));
  }
}

/** A dead token is kept as well: the next check finds that nothing is left to revoke. */
function retire(tx: Writer<Schema>, storeId: string, now: number): void {
  tx.run(
    tx.build
      .updateTable('vault_token')
      .set({ status: 'maintaining', due_time: now, failures: 0 })
      .where('store_id', '=', storeId)
      .where('status', '<>', 'maintaining')
      .compile(),
  );
}

function toToken(row: VaultTokenTable): StoreToken {
  return {
    id: row.id,
    status: row.status,
    sealed: row.sealed,
    server: row.server,
    expirationTime: row.expiration_time,
    dueTime: row.due_time,
    failures: row.failures,
  };
}

function toRow(storeId: string, token: StoreToken): VaultTokenTable {
  return {
    id: token.id,
    store_id: storeId,
    status: token.status,
    sealed: token.sealed,
    server: token.server,
    expiration_time: token.expirationTime,
    due_time: token.dueTime,
    failures: token.failures,
  };
}
