import type { Generated } from 'kysely';

/** A namespace below the root. */
export interface NamespaceTable {
  /** With a slash at the end. */
  path: string;
  id: string;
  uuid: string;
  /** JSON. */
  custom_metadata: string;
  /** 1 while this cluster is deleting it. */
  deleting: Generated<number>;
}

/** A policy's text. */
export interface PolicyTable {
  namespace: string;
  name: string;
  sealed: Uint8Array;
}

/** A token, without the token itself. */
export interface TokenTable {
  /** Keyed hash of the token. */
  hash: string;
  accessor: string;
  /** Hash of the token that made it; null for an orphan. */
  parent: string | null;
  namespace: string;
  /** Person whose sign-in it is. */
  account_id: string | null;
  /** Milliseconds since the epoch, as all times here. */
  created_time: number;
  /** Null for a token that does not expire. */
  expire_time: number | null;
  last_renewal_time: number | null;
  /** Uses that are left; 0 is any number. */
  num_uses: number;
  /** Sealed JSON of what else is known of it. */
  sealed: Uint8Array;
}

/** Something that was issued for a time and is taken back afterwards. */
export interface LeaseTable {
  id: string;
  namespace: string;
  /** Which engine takes it back. */
  engine: string;
  /** Number of the mount that issued it. */
  mount_id: number;
  /** Hash of the token that it was issued to. */
  token: string | null;
  issue_time: number;
  expire_time: number;
  /** It cannot be renewed beyond. */
  max_expire_time: number;
  last_renewal_time: number | null;
  renewable: number;
  /** How often taking it back failed. */
  attempts: number;
  /** When taking it back is tried next. */
  next_attempt_time: number;
  /** Sealed JSON that the engine knows it by. */
  sealed: Uint8Array;
}

/** An answer that is kept for one reading. */
export interface WrappingTable {
  /** Keyed hash of the wrapping token. */
  hash: string;
  accessor: string;
  namespace: string;
  created_time: number;
  expire_time: number;
  /** Whose it is, as `TokenStore.ownerOf` says; null of nobody's. */
  owner: string | null;
  /** Sealed JSON: the path it came from, and seconds of its life. */
  details: Uint8Array;
  /** The answer, sealed. */
  sealed: Uint8Array;
}

/** The tables of who may do what. */
export interface IdentitySchema {
  namespace: NamespaceTable;
  policy: PolicyTable;
  token: TokenTable;
  lease: LeaseTable;
  wrapping: WrappingTable;
}

/** SQL of the tables of who may do what. */
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
