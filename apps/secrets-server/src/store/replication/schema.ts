import type { Generated } from 'kysely';

/** A write of replicated records, as it is sent to secondaries. */
export interface ReplicationLogTable {
  /** Counts from 1 over all epochs. */
  seq: number;
  /** Milliseconds since the epoch, as all times here: when the primary wrote it. */
  time: number;
  /** JSON of the changes, in which a secret value is its number. */
  changes: string;
  /** JSON: the length of each secret value in `sealed` and what it is bound to, or the key and version that have it. */
  places: string;
  /** The sealed values of the changes, one after the other. */
  sealed: Uint8Array;
  /** Bytes of this entry and of all before it. */
  total: Generated<number>;
}

/** From where on which primary wrote. */
export interface ReplicationEpochTable {
  /** In the order in which they began. */
  number: Generated<number>;
  /** A UUID. */
  id: string;
  /** Its first entry is the one after this. */
  after: number;
}

/** A write that this cluster accepted and that its new primary never had, or a record that a snapshot took away. */
export interface ReplicationLostTable {
  id: Generated<number>;
  /** When it was found to be lost. */
  found_time: number;
  seq: number;
  time: number;
  /** JSON: what it wrote, for people. Their mounts may be gone by the time it is read. */
  records: Generated<string>;
  changes: string;
  places: string;
  sealed: Uint8Array;
}

/** Facts of this cluster's part in replication by name. */
export interface ReplicationStateTable {
  name: string;
  /** Sealed JSON. */
  sealed: Uint8Array;
}

/** A path that a local mount gave up to a replicated one. */
export interface MountRenameTable {
  mount_id: number;
  path: string;
  time: number;
}

/** A cluster that was given an activation token. */
export interface ReplicationSecondaryTable {
  id: string;
  /** Sealed JSON of what is known of it. */
  sealed: Uint8Array;
}

/** A transition and what became of it. */
export interface ReplicationEventTable {
  id: Generated<number>;
  kind: 'transition' | 'activation';
  time: number;
  /** Sealed JSON. */
  sealed: Uint8Array;
}

/** The tables of replication. None of them is replicated. */
export interface ReplicationSchema {
  replication_log: ReplicationLogTable;
  replication_epoch: ReplicationEpochTable;
  replication_lost: ReplicationLostTable;
  mount_rename: MountRenameTable;
  replication_state: ReplicationStateTable;
  replication_secondary: ReplicationSecondaryTable;
  replication_event: ReplicationEventTable;
}

/** SQL of the tables of replication. */
export const replicationTables = `
      CREATE TABLE replication_log (
        seq INTEGER PRIMARY KEY,
        time INTEGER NOT NULL,
        changes TEXT NOT NULL,
        places TEXT NOT NULL,
        sealed BLOB NOT NULL,
        total INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE TABLE replication_epoch (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        after INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE replication_lost (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        found_time INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        time INTEGER NOT NULL,
        changes TEXT NOT NULL,
        places TEXT NOT NULL,
        records TEXT NOT NULL DEFAULT '[]',
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE replication_state (
        name TEXT PRIMARY KEY,
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE replication_secondary (
        id TEXT PRIMARY KEY,
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE replication_event (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        time INTEGER NOT NULL,
        sealed BLOB NOT NULL
      ) STRICT;
      CREATE TABLE mount_rename (
        mount_id INTEGER NOT NULL REFERENCES mount (id) ON DELETE CASCADE,
        path TEXT NOT NULL,
        time INTEGER NOT NULL,
        PRIMARY KEY (mount_id, path)
      ) STRICT;
`;
