import type { Migration } from '@gatehouse/service-kit/store';
import type { Generated } from 'kysely';
import { cloudTables } from './cloud/schema.ts';
import type { CloudSchema } from './cloud/schema.ts';
import { identityTables } from './identity-schema.ts';
import type { IdentitySchema } from './identity-schema.ts';
import { pluginTables } from './plugin-schema.ts';
import type { PluginSchema } from './plugin-schema.ts';
import { replicationTables } from './replication/schema.ts';
import type { ReplicationSchema } from './replication/schema.ts';

/** A key of the barrier, sealed under the root key. */
export interface BarrierKeyTable {
  /** Counts from 1; each sealed record names the term of its key. Term 0 is the key of keyed hashes. */
  term: number;
  sealed: Uint8Array;
  /** In milliseconds since the epoch. */
  created_time: number;
}

export interface MountTable {
  id: Generated<number>;
  namespace: string;
  path: string;
  type: string;
  description: string;
  accessor: string;
  uuid: string;
  /** JSON. */
  options: string | null;
  /** JSON. */
  config: string;
  /** The plugin version that the mount is configured for; empty for a built-in plugin. */
  plugin_version: Generated<string>;
  /** 1 for a local mount, which is not replicated. */
  local: Generated<number>;
  /** 1 for a mount that the primary removed but whose leases or undos remain. */
  retired: Generated<number>;
}

/** The cluster's own values, by name. */
export interface ClusterTable {
  name: string;
  value: string;
}

/** The settings of a key-value engine. */
export interface KvConfigTable {
  mount_id: number;
  max_versions: number;
  cas_required: number;
  /** In seconds; -1 disables deletion for all keys. */
  delete_version_after: number;
}

export interface KvKeyTable {
  id: Generated<number>;
  mount_id: number;
  path: string;
  /** 0 if only metadata was ever written. */
  current_version: number;
  /** 0 until the first version is pruned. */
  oldest_version: number;
  created_time: number;
  updated_time: number;
  max_versions: number;
  cas_required: number;
  /** In seconds. */
  delete_version_after: number;
  /** Sealed JSON. */
  custom_metadata: Uint8Array | null;
}

export interface KvVersionTable {
  key_id: number;
  version: number;
  created_time: number;
  /** Null if deletion is not scheduled. */
  deletion_time: number | null;
  destroyed: number;
  /** Sealed JSON text; null if destroyed. */
  sealed: Uint8Array | null;
}

/** The tables of secrets-server.db. */
export interface Schema extends IdentitySchema, PluginSchema, CloudSchema, ReplicationSchema {
  barrier_key: BarrierKeyTable;
  cluster: ClusterTable;
  mount: MountTable;
  kv_config: KvConfigTable;
  kv_key: KvKeyTable;
  kv_version: KvVersionTable;
}

/** The migrations of the schema. Released migrations never change. */
export const migrations: readonly Migration[] = [
  {
    name: 'first tables',
    up: (db) =>
      db.exec(`
        CREATE TABLE barrier_key (
          term INTEGER PRIMARY KEY,
          sealed BLOB NOT NULL,
          created_time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE cluster (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) STRICT;
        CREATE TABLE mount (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          namespace TEXT NOT NULL,
          path TEXT NOT NULL,
          type TEXT NOT NULL,
          description TEXT NOT NULL,
          accessor TEXT NOT NULL UNIQUE,
          uuid TEXT NOT NULL UNIQUE,
          options TEXT,
          config TEXT NOT NULL,
          plugin_version TEXT NOT NULL DEFAULT '',
          local INTEGER NOT NULL DEFAULT 0,
          retired INTEGER NOT NULL DEFAULT 0,
          UNIQUE (namespace, path)
        ) STRICT;
        CREATE TABLE kv_config (
          mount_id INTEGER PRIMARY KEY REFERENCES mount (id) ON DELETE CASCADE,
          max_versions INTEGER NOT NULL,
          cas_required INTEGER NOT NULL,
          delete_version_after INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE kv_key (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          mount_id INTEGER NOT NULL REFERENCES mount (id) ON DELETE CASCADE,
          path TEXT NOT NULL,
          current_version INTEGER NOT NULL,
          oldest_version INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          max_versions INTEGER NOT NULL,
          cas_required INTEGER NOT NULL,
          delete_version_after INTEGER NOT NULL,
          custom_metadata BLOB,
          UNIQUE (mount_id, path)
        ) STRICT;
        CREATE TABLE kv_version (
          key_id INTEGER NOT NULL REFERENCES kv_key (id) ON DELETE CASCADE,
          version INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          deletion_time INTEGER,
          destroyed INTEGER NOT NULL,
          sealed BLOB,
          PRIMARY KEY (key_id, version)
        ) STRICT;
        ${identityTables} ${pluginTables} ${cloudTables} ${replicationTables}`),
  },
];
