import type { Generated } from 'kysely';

/** A write of replicated records, as sent to secondaries. */
export interface ReplicationLogTable {
  /** Counts from 1 across all epochs. */
  seq: number;
  /** When the primary wrote the entry, in milliseconds since the epoch, like all times here. */
  time: number;
  /** JSON of the changes, in which a secret value is replaced by its index. */
  changes: string;
  /**
   * JSON: the length and binding name of each secret value in `sealed`, or the key and version whose row has the value.
   */
  places: string;
  /** The concatenated sealed values of the changes. */
  sealed: Uint8Array;
  /** The total size of this entry and all earlier ones in bytes. */
  total: Generated<number>;
}

/** An epoch of a primary. */
export interface ReplicationEpochTable {
  /** In order of their beginning. */
  number: Generated<number>;
  /** A UUID. */
  id: string;
  /** The number before the epoch's first entry. */
  after: number;
}

/** A write of this cluster that its new primary never had, or a record that a snapshot removed. */
export interface ReplicationLostTable {
  id: Generated<number>;
  /** When the loss was detected. */
  found_time: number;
  seq: number;
  time: number;
  /** JSON of the descriptions for users, stored because the mounts may be deleted before they are read. */
  records: Generated<string>;
  changes: string;
  places: string;
  sealed: Uint8Array;
}

/** The cluster's replication state, by name. */
export interface ReplicationStateTable {
  name: string;
  sealed: Uint8Array;
}

/** The former path of a local mount that was renamed because of a replicated one. */
export interface MountRenameTable {
  mount_id: number;
  path: string;
  time: number;
}

/** A cluster that was given an activation token. */
export interface ReplicationSecondaryTable {
  id: string;
  /** Sealed JSON of the cluster's data. */
  sealed: Uint8Array;
}

/** A transition or activation with its outcome. */
export interface ReplicationEventTable {
  id: Generated<number>;
  kind: 'transition' | 'activation';
  time: number;
  sealed: Uint8Array;
}

/** The tables of replication, none of which is replicated. */
export interface ReplicationSchema {
  replication_log: ReplicationLogTable;
  replication_epoch: ReplicationEpochTable;
  replication_lost: ReplicationLostTable;
  mount_rename: MountRenameTable;
  replication_state: ReplicationStateTable;
  replication_secondary: ReplicationSecondaryTable;
  replication_event: ReplicationEventTable;
}

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
