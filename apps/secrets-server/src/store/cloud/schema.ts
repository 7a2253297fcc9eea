export interface CloudConfigTable {
  mount_id: number;
  /** `root` or `lease`. */
  name: string;
  /** Sealed JSON. */
  sealed: Uint8Array;
}

export interface CloudRoleTable {
  mount_id: number;
  name: string;
  /** Sealed JSON of an object, or of a text for a role in the format of earlier versions. */
  sealed: Uint8Array;
}

/** An object at the provider that must be deleted unless it becomes a lease or a setting. */
export interface CloudUndoTable {
  id: string;
  mount_id: number;
  /** Sealed JSON of the `Undo`. */
  sealed: Uint8Array;
  /** In milliseconds since the epoch, like all times here. */
  created_time: number;
  /** The number of failed attempts. */
  attempts: number;
  next_attempt_time: number;
}

export interface CloudSchema {
  cloud_config: CloudConfigTable;
  cloud_role: CloudRoleTable;
  cloud_undo: CloudUndoTable;
}

export const cloudTables = `
      CREATE TABLE cloud_config (
        mount_id INTEGER NOT NULL REFERENCES mount (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (mount_id, name)
      ) STRICT;
      CREATE TABLE cloud_role (
        mount_id INTEGER NOT NULL REFERENCES mount (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sealed BLOB NOT NULL,
        PRIMARY KEY (mount_id, name)
      ) STRICT;
      CREATE TABLE cloud_undo (
        id TEXT PRIMARY KEY,
        mount_id INTEGER NOT NULL REFERENCES mount (id) ON DELETE CASCADE,
        sealed BLOB NOT NULL,
        created_time INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        next_attempt_time INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX cloud_undo_mount ON cloud_undo (mount_id);
      CREATE INDEX cloud_undo_next_attempt_time ON cloud_undo (next_attempt_time);
`;
