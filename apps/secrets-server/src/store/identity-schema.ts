import type { Generated } from 'kysely';

/** A namespace below the root. */
export interface NamespaceTable {
  /** Ends with a slash. */
  path: string;
  id: string;
  uuid: string;
  /** JSON. */
  custom_metadata: string;
  /** 1 while this cluster is deleting it. */
  deleting: Generated<number>;
}

export interface PolicyTable {
  namespace: string;
  name: string;
  sealed: Uint8Array;
}

/** A token's record; the token's text is not stored. */
export interface TokenTable {
  /** Keyed hash of the token. */
  hash: string;
  accessor: string;
  /** Hash of the parent token; null for an orphan. */
  parent: string | null;
  namespace: string;
  /** The account of the person who signed in. */
  account_id: string | null;
  /** Whose limits count this token (`payerOf`); null if no token created it. */
  owner: string | null;
  /** In milliseconds since the epoch, like all times here. */
  created_time: number;
  /** Null for a token that does not expire. */
  expire_time: number | null;
  last_renewal_time: number | null;
  /** Uses left; 0 for unlimited. */
  num_uses: number;
  /** Sealed JSON of the token's other details. */
  sealed: Uint8Array;
}

/** A lease: something issued for a limited time and revoked afterwards. */
export interface LeaseTable {
  id: string;
  namespace: string;
  /** The engine that revokes the lease. */
  engine: string;
  /** The number of the mount that issued the lease. */
  mount_id: number;
  /** Hash of the token that the lease was issued to. */
  token: string | null;
  issue_time: number;
  expire_time: number;
  /** The latest time to which renewals can extend the lease. */
  max_expire_time: number;
  last_renewal_time: number | null;
  renewable: number;
  /** The number of failed revocations. */
  attempts: number;
  /** The time of the next attempt to revoke. */
  next_attempt_time: number;
  /** Sealed JSON of the engine's data. */
  sealed: Uint8Array;
}

/** An answer stored for one reading. */
export interface WrappingTable {
  /** Keyed hash of the wrapping token. */
  hash: string;
  accessor: string;
  namespace: string;
  created_time: number;
  expire_time: number;
  /** Whose limits count it (`payerOf`); null for none. */
  owner: string | null;
  /** Sealed JSON of the path that the answer came from and the lifetime in seconds. */
  details: Uint8Array;
  /** The sealed answer. */
  sealed: Uint8Array;
}

/** The tables of identities and permissions. */
export interface IdentitySchema {
  namespace: NamespaceTable;
  policy: PolicyTable;
  token: TokenTable;
  lease: LeaseTable;
  wrapping: WrappingTable;
}

export const identityTables = `
      CREATE TABLE namespace (
        path TEXT PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        uuid TEXT NOT NULL UNIQUE,
        custom_metadata TEXT NOT NULL,
        deleting INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE policy (
        namespace TEXT NOT NULL,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (namespace, name)
      ) STRICT;
      CREATE TABLE token (
        hash TEXT PRIMARY KEY,
        accessor TEXT NOT NULL UNIQUE,
        parent TEXT,
        namespace TEXT NOT NULL,
        account_id TEXT,
        owner TEXT,
        created_time INTEGER NOT NULL,
        expire_time INTEGER,
        last_renewal_time INTEGER,
        num_uses INTEGER NOT NULL,
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE INDEX token_parent ON token (parent) WHERE parent IS NOT NULL;
      CREATE INDEX token_account ON token (account_id) WHERE account_id IS NOT NULL;
      CREATE INDEX token_expire_time ON token (expire_time) WHERE expire_time IS NOT NULL;
      CREATE INDEX token_namespace ON token (namespace);
      CREATE INDEX token_owner ON token (owner) WHERE owner IS NOT NULL;
      CREATE TABLE lease (
        id TEXT NOT NULL,
        namespace TEXT NOT NULL,
        engine TEXT NOT NULL,
        mount_id INTEGER NOT NULL,
        token TEXT,
        issue_time INTEGER NOT NULL,
        expire_time INTEGER NOT NULL,
        max_expire_time INTEGER NOT NULL,
        last_renewal_time INTEGER,
        renewable INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_time INTEGER NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (namespace, id)
      ) STRICT;
      CREATE INDEX lease_next_attempt_time ON lease (next_attempt_time);
      CREATE INDEX lease_mount ON lease (mount_id, expire_time);
      CREATE INDEX lease_token ON lease (token) WHERE token IS NOT NULL;
      CREATE TABLE wrapping (
        hash TEXT PRIMARY KEY,
        accessor TEXT NOT NULL UNIQUE,
        namespace TEXT NOT NULL,
        created_time INTEGER NOT NULL,
        expire_time INTEGER NOT NULL,
        owner TEXT,
        details BLOB NOT NULL,
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE INDEX wrapping_expire_time ON wrapping (expire_time);
      CREATE INDEX wrapping_owner ON wrapping (owner) WHERE owner IS NOT NULL;
`;
