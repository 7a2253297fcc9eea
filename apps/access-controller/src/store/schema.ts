import type { Migration } from '@gatehouse/service-kit/store';
import type { CredentialType } from '../domain/credential/credential.ts';
import type { SessionStatus, TerminationReason } from '../domain/session/session.ts';
import type { CredentialPurpose, TargetType } from '../domain/target/target.ts';
import type { LibraryCredentialType } from '../domain/vault-store/library.ts';
import { vaultStoreTables } from './vault-schema.ts';
import type { VaultLeaseTable, VaultTokenTable } from './vault-schema.ts';

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

export interface HostCatalogTable {
  id: string;
  project_id: string;
  name: string;
  description: string;
  created_time: number;
  updated_time: number;
  version: number;
  change: number;
}

export interface TargetTable extends HostCatalogTable {
  type: 'tcp' | 'ssh' | 'rdp';
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
}

export interface HostSetTable extends HostCatalogTable {
  catalog_id: string;
}

export interface HostTable extends HostSetTable {
  address: string;
}

interface HostSetMemberTable {
  host_set_id: string;
  host_id: string;
}

interface TargetHostSourceTable {
  target_id: string;
  host_set_id: string;
}

export interface CredentialStoreTable extends HostCatalogTable {
  type: 'static' | 'vault';
  /** JSON; empty for a static store. */
  connection: string;
  /** JSON; empty for a static store. */
  fingerprints: string;
}

export interface CredentialTable extends HostCatalogTable {
  store_id: string;
  type: CredentialType;
  /** JSON. */
  plain: string;
  /** JSON. */
  fingerprints: string;
  sealed: Uint8Array;
}

export interface CredentialLibraryTable extends HostCatalogTable {
  store_id: string;
  path: string;
  http_method: 'GET' | 'POST';
  http_request_body: string;
  credential_type: LibraryCredentialType;
  /** JSON. */
  mapping_overrides: string;
}

interface TargetCredentialSourceTable {
  target_id: string;
  purpose: CredentialPurpose;
  /** The ID of a credential or a library. */
  source_id: string;
}

export interface SessionTable {
  id: string;
  project_id: string;
  target_id: string;
  user_id: string;
  auth_token_id: string;
  host_id: string;
  host_set_id: string;
  type: TargetType;
  endpoint: string;
  created_time: number;
  updated_time: number;
  expiration_time: number;
  version: number;
  connection_limit: number;
  termination_reason: TerminationReason;
  status: SessionStatus;
  /** JSON. */
  states: string;
  due_time: number | null;
  change: number;
}

interface SealedKeyTable {
  name: string;
  sealed: Uint8Array;
}

interface RemovedItemTable {
  id: string;
  kind: string;
  container_id: string;
  change: number;
  removed_time: number;
  /** The only user who may know of the item; empty if its container decides. */
  user_id: string;
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
  host_catalog: HostCatalogTable;
  host_set: HostSetTable;
  host: HostTable;
  host_set_member: HostSetMemberTable;
  target_host_source: TargetHostSourceTable;
  credential_store: CredentialStoreTable;
  credential: CredentialTable;
  credential_library: CredentialLibraryTable;
  /** Tokens of credential stores of type vault, until they are revoked, including replaced ones. */
  vault_token: VaultTokenTable;
  vault_lease: VaultLeaseTable;
  target_credential_source: TargetCredentialSourceTable;
  /** Records that sessions refer to may be gone. */
  session: SessionTable;
  /** The service's own keys, encrypted with the key ring. */
  sealed_key: SealedKeyTable;
  /** Removed items, for refreshed listings. */
  removed_item: RemovedItemTable;
  auth_token: AuthTokenTable;
  /** One row: the number of changes in all paged collections. */
  change_counter: ChangeCounterTable;
}

/**
 * SQL for a table of records, with the columns and indexes that most kinds have.
 * @param columns the definitions of the other columns, with commas between them
 * @param parent the kind of record that contains these records, in which their names are unique; the project by default
 */
function recordTable(kind: string, columns = '', parent?: string): string {
  const container = parent === undefined ? 'project_id' : `${parent.replace(/^.*_/, '')}_id`;
  const place = container.slice(0, -'_id'.length);
  const all = [
    'id TEXT PRIMARY KEY',
    ...(parent === undefined ? [] : [`${container} TEXT NOT NULL REFERENCES ${parent} (id)`]),
    'project_id TEXT NOT NULL REFERENCES scope (id)',
    'name TEXT NOT NULL',
    'description TEXT NOT NULL',
    'created_time INTEGER NOT NULL',
    'updated_time INTEGER NOT NULL',
    'version INTEGER NOT NULL',
    ...(columns === '' ? [] : [columns]),
    'change INTEGER NOT NULL',
  ];
  return `
        CREATE TABLE ${kind} (${all.join(', ')}) STRICT;
        CREATE UNIQUE INDEX ${kind}_name ON ${kind} (${container}, name) WHERE name <> '';
        ${parent === undefined ? `CREATE INDEX ${kind}_created ON ${kind} (created_time, id);` : ''}
        CREATE INDEX ${kind}_created_in_${place} ON ${kind} (${container}, created_time, id);
        CREATE INDEX ${kind}_change ON ${kind} (change);`;
}

/** Applied migrations never change; add new ones. */
export const migrations: readonly Migration[] = [
  {
    name: 'first tables',
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
        CREATE INDEX scope_created ON scope (created_time, id);
        CREATE INDEX scope_created_in_parent ON scope (parent_id, created_time, id);

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

        CREATE TABLE auth_token (
          id TEXT PRIMARY KEY,
          hash BLOB NOT NULL,
          user_id TEXT NOT NULL,
          password_version INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          last_used_time INTEGER NOT NULL,
          expiration_time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX auth_token_created ON auth_token (created_time, id);
        CREATE INDEX auth_token_user ON auth_token (user_id, created_time, id);
        CREATE INDEX auth_token_expiration ON auth_token (expiration_time);

        CREATE TABLE change_counter (value INTEGER NOT NULL) STRICT;
        INSERT INTO change_counter (value) VALUES (0);

        ${recordTable('host_catalog')}

        ${recordTable('host_set', '', 'host_catalog')}

        ${recordTable('host', 'address TEXT NOT NULL', 'host_catalog')}

        CREATE TABLE host_set_member (
          host_set_id TEXT NOT NULL REFERENCES host_set (id),
          host_id TEXT NOT NULL REFERENCES host (id),
          PRIMARY KEY (host_set_id, host_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX host_set_member_host ON host_set_member (host_id);

        CREATE TABLE target_host_source (
          target_id TEXT NOT NULL REFERENCES target (id),
          host_set_id TEXT NOT NULL REFERENCES host_set (id),
          PRIMARY KEY (target_id, host_set_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX target_host_source_set ON target_host_source (host_set_id);

        CREATE TABLE removed_item (
          id TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          container_id TEXT NOT NULL,
          -- The only user who may know of the item; empty if its container decides.
          user_id TEXT NOT NULL DEFAULT '',
          change INTEGER NOT NULL,
          removed_time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX removed_item_change ON removed_item (kind, change);
        CREATE INDEX removed_item_in_container ON removed_item (kind, container_id, change);
        CREATE INDEX removed_item_time ON removed_item (removed_time);

        ${recordTable('credential_store', 'type TEXT NOT NULL, connection TEXT NOT NULL, fingerprints TEXT NOT NULL')}

        ${recordTable('credential', 'type TEXT NOT NULL, plain TEXT NOT NULL, fingerprints TEXT NOT NULL, sealed BLOB NOT NULL', 'credential_store')}

        ${recordTable('credential_library', 'path TEXT NOT NULL, http_method TEXT NOT NULL, http_request_body TEXT NOT NULL, credential_type TEXT NOT NULL, mapping_overrides TEXT NOT NULL', 'credential_store')}

        -- A source is a credential or a library.
        CREATE TABLE target_credential_source (
          target_id TEXT NOT NULL REFERENCES target (id),
          purpose TEXT NOT NULL CHECK (purpose IN ('application', 'brokered', 'injected_application')),
          source_id TEXT NOT NULL,
          PRIMARY KEY (target_id, purpose, source_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX target_credential_source_source ON target_credential_source (source_id);

        CREATE TABLE sealed_key (name TEXT PRIMARY KEY, sealed BLOB NOT NULL) STRICT;

        CREATE TABLE session (
          id TEXT PRIMARY KEY,
          project_id TEXT NOT NULL REFERENCES scope (id),
          target_id TEXT NOT NULL,
          user_id TEXT NOT NULL,
          auth_token_id TEXT NOT NULL,
          host_id TEXT NOT NULL,
          host_set_id TEXT NOT NULL,
          type TEXT NOT NULL,
          endpoint TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          expiration_time INTEGER NOT NULL,
          version INTEGER NOT NULL,
          connection_limit INTEGER NOT NULL,
          termination_reason TEXT NOT NULL,
          status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'canceling', 'terminated')),
          states TEXT NOT NULL,
          due_time INTEGER,
          change INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_created ON session (created_time, id);
        CREATE INDEX session_created_in_project ON session (project_id, created_time, id);
        CREATE INDEX session_user ON session (user_id, created_time, id);
        CREATE INDEX session_living ON session (created_time, id) WHERE status <> 'terminated';
        CREATE INDEX session_living_user ON session (user_id) WHERE status IN ('pending', 'active');
        -- Usable only where a query has exactly the index's condition, as text.
        CREATE INDEX session_living_in_project ON session (project_id, created_time, id) WHERE status <> 'terminated';
        CREATE INDEX session_living_of_user ON session (user_id, created_time, id) WHERE status <> 'terminated';
        CREATE INDEX session_change ON session (change);
        CREATE INDEX session_change_of_user ON session (user_id, change);
        CREATE INDEX session_due ON session (due_time) WHERE due_time IS NOT NULL;
        CREATE INDEX session_ended ON session (updated_time) WHERE status = 'terminated';
        -- Only sessions that haven't ended are looked up by what they depend on.
        CREATE INDEX session_living_target ON session (target_id) WHERE status IN ('pending', 'active');
        CREATE INDEX session_living_host ON session (host_id) WHERE status IN ('pending', 'active');
        CREATE INDEX session_living_host_set ON session (host_set_id) WHERE status IN ('pending', 'active');
        ${vaultStoreTables}
      `),
  },
];
