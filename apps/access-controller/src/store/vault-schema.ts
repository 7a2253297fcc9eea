import type { Lease } from '../domain/vault-store/lease.ts';
import type { TokenStatus } from '../domain/vault-store/token.ts';

export interface VaultTokenTable {
  id: string;
  /** May be gone. */
  store_id: string;
  status: TokenStatus;
  sealed: Uint8Array;
  server: string;
  expiration_time: number;
  due_time: number | null;
  failures: number;
}

export interface VaultLeaseTable {
  id: string;
  lease_id: string;
  token_id: string;
  /** May be gone. */
  session_id: string;
  /** The session's user. */
  user_id: string;
  /** May be gone. */
  library_id: string;
  status: Lease['status'];
  renewable: number;
  expiration_time: number;
  due_time: number;
  failures: number;
}

/**
 * SQL for the time from which nothing is left to do about an active lease: it has expired, or can't be renewed. An
 * index uses this exact text.
 */
export const overTime = 'CASE renewable WHEN 0 THEN due_time ELSE max(due_time, expiration_time) END';

/** SQL for the tables of credential stores of type vault. */
export const vaultStoreTables = `
      CREATE TABLE vault_token (
        id TEXT PRIMARY KEY,
        store_id TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('current', 'renewing', 'maintaining', 'revoked', 'expired')),
        sealed BLOB NOT NULL,
        server TEXT NOT NULL,
        expiration_time INTEGER NOT NULL,
        due_time INTEGER,
        failures INTEGER NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX vault_token_of_store ON vault_token (store_id) WHERE status <> 'maintaining';
      CREATE INDEX vault_token_due ON vault_token (due_time) WHERE due_time IS NOT NULL;

      CREATE TABLE vault_lease (
        id TEXT PRIMARY KEY,
        lease_id TEXT NOT NULL,
        token_id TEXT NOT NULL REFERENCES vault_token (id),
        session_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        library_id TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('active', 'revoking')),
        renewable INTEGER NOT NULL,
        expiration_time INTEGER NOT NULL,
        due_time INTEGER NOT NULL,
        failures INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX vault_lease_token ON vault_lease (token_id, due_time);
      CREATE INDEX vault_lease_session ON vault_lease (session_id);
      CREATE INDEX vault_lease_user ON vault_lease (user_id);
      CREATE INDEX vault_lease_over ON vault_lease (${overTime}) WHERE status = 'active';

      -- What was issued for a session is revoked when it ends.
      CREATE TRIGGER session_ended AFTER UPDATE OF status ON session
      WHEN old.status IN ('pending', 'active') AND new.status NOT IN ('pending', 'active') BEGIN
        UPDATE vault_lease SET status = 'revoking', due_time = new.updated_time, failures = 0
        WHERE session_id = new.id AND status = 'active';
      END;
      CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
        UPDATE vault_lease SET status = 'revoking', due_time = old.updated_time, failures = 0
        WHERE session_id = old.id AND status = 'active';
      END;
`;
