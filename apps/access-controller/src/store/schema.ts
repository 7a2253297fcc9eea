import type { Migration } from '@gatehouse/service-kit/store';

interface ScopeTable {
  id: string;
  type: 'global' | 'org' | 'project';
  parent_id: string | null;
  name: string;
  description: string;
  created_time: number;
  updated_time: number;
  version: number;
}

export interface TargetTable {
  id: string;
  project_id: string;
  type: 'tcp' | 'ssh' | 'rdp';
  name: string;
  description: string;
  created_time: number;
  updated_time: number;
  version: number;
  session_max_seconds: number;
  session_connection_limit: number;
  worker_filter: string;
  egress_worker_filter: string;
  ingress_worker_filter: string;
  address: string;
  default_port: number | null;
  default_client_port: number | null;
  storage_bucket_id: string;
  enable_session_recording: number;
  change: number;
}

interface RemovedTargetTable {
  id: string;
  project_id: string;
  change: number;
  removed_time: number;
}

export interface AuthTokenTable {
  id: string;
  hash: Uint8Array;
  user_id: string;
  password_version: number;
  created_time: number;
  last_used_time: number;
  expiration_time: number;
}

interface ChangeCounterTable {
  value: number;
}

/** The tables of the access controller. Times are milliseconds since the epoch. */
export interface Schema {
  scope: ScopeTable;
  target: TargetTable;
  /** Targets that are gone, so that a refreshed listing can tell. */
  removed_target: RemovedTargetTable;
  auth_token: AuthTokenTable;
  /** One row: how many changes targets have seen. */
  change_counter: ChangeCounterTable;
}

/** How the tables came to be. Applied steps never change; add new ones. */
export const migrations: readonly Migration[] = [
  {
    name: 'scopes, targets and tokens',
    up: (db) =>
      db.exec(`
        CREATE TABLE scope (
          id TEXT PRIMARY KEY,
          type TEXT NOT NULL CHECK (type IN ('global', 'org', 'project')),
          parent_id TEXT REFERENCES scope (id),
          name TEXT NOT NULL,
          description TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          version INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX scope_name ON scope (parent_id, name) WHERE name <> '';

        CREATE TABLE target (
          id TEXT PRIMARY KEY,
          project_id TEXT NOT NULL REFERENCES scope (id),
          type TEXT NOT NULL CHECK (type IN ('tcp', 'ssh', 'rdp')),
          name TEXT NOT NULL CHECK (name <> ''),
          description TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          version INTEGER NOT NULL,
          session_max_seconds INTEGER NOT NULL,
          session_connection_limit INTEGER NOT NULL,
          worker_filter TEXT NOT NULL,
          egress_worker_filter TEXT NOT NULL,
          ingress_worker_filter TEXT NOT NULL,
          address TEXT NOT NULL,
          default_port INTEGER NOT NULL,
          default_client_port INTEGER,
          storage_bucket_id TEXT NOT NULL,
          enable_session_recording INTEGER NOT NULL,
          change INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX target_name ON target (project_id, name);
        CREATE INDEX target_created ON target (created_time, id);
        CREATE INDEX target_created_in_project ON target (project_id, created_time, id);
        CREATE INDEX target_change ON target (change);

        CREATE TABLE removed_target (
          id TEXT PRIMARY KEY,
          project_id TEXT NOT NULL,
          change INTEGER NOT NULL,
          removed_time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removed_target_change ON removed_target (change);
        CREATE INDEX removed_target_time ON removed_target (removed_time);

        CREATE TABLE auth_token (
          id TEXT PRIMARY KEY,
          hash BLOB NOT NULL,
          user_id TEXT NOT NULL,
          password_version INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          last_used_time INTEGER NOT NULL,
          expiration_time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX auth_token_user ON auth_token (user_id);
        CREATE INDEX auth_token_expiration ON auth_token (expiration_time);

        CREATE TABLE change_counter (value INTEGER NOT NULL) STRICT;
        INSERT INTO change_counter (value) VALUES (0);
      `),
  },
];
