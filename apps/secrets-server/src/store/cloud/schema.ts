/** Settings of a cloud engine. */
export interface CloudConfigTable {
  mount_id: number;
  /** `root` or `lease`. */
  name: string;
  /** Sealed JSON. */
  sealed: Uint8Array;
}

/** A role of a cloud engine. */
export interface CloudRoleTable {
  mount_id: number;
  name: string;
  /** Sealed JSON; a text is a role as earlier versions of the field kept it. */
  sealed: Uint8Array;
}

/** Something that must not stay at the provider unless it becomes a lease or a setting. */
export interface CloudUndoTable {
  id: string;
  mount_id: number;
  /** Sealed JSON of what there is to undo. */
  sealed: Uint8Array;
  /** Milliseconds since the epoch, as all times here. */
  created_time: number;
  /** How often undoing failed. */
  attempts: number;
  next_attempt_time: number;
}

/** The tables of cloud engines. */
export interface CloudSchema {
  cloud_config: CloudConfigTable;
  cloud_role: CloudRoleTable;
  cloud_undo: CloudUndoTable;
}

/** SQL of the tables of cloud engines. */
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
