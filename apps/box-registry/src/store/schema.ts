import { tokenTable } from '@gatehouse/service-kit/account-tokens';
import type { TokenTable } from '@gatehouse/service-kit/account-tokens';
import type { LeftoverTable } from '@gatehouse/service-kit/object-store/noted-objects';
import type { SecretTable } from '@gatehouse/service-kit/signing-key';
import type { Migration } from '@gatehouse/service-kit/store';
import type { VersionStatus } from '../domain/box.ts';
import type { ChecksumType } from '../domain/checksum.ts';
import type { MemberRole } from '../domain/namespace.ts';

export interface NamespaceTable {
  id: string;
  kind: 'person' | 'organization';
  account_id: string | null;
  name: string;
  name_key: string;
  profile: string;
  created_time: number;
  /** The account that created an organization. */
  creator_id: string | null;
}

/** The names of owners that have or had a released version, since clients may still request it. */
export interface ReleasedNameTable {
  name_key: string;
  /** The last user whose name it was; null if only organizations had it. */
  account_id: string | null;
}

export interface MemberTable {
  namespace_id: string;
  account_id: string;
  role: MemberRole;
  created_time: number;
}

export interface BoxTable {
  id: string;
  namespace_id: string;
  name: string;
  name_key: string;
  short_description: string;
  description: string;
  is_private: number;
  downloads: number;
  created_time: number;
  updated_time: number;
}

/** The downloads of a box on one day. */
export interface DownloadTable {
  box_id: string;
  /** Days since 1970, UTC. */
  day: number;
  count: number;
}

export interface VersionTable {
  id: string;
  box_id: string;
  version: string;
  description: string;
  status: VersionStatus;
  created_time: number;
  updated_time: number;
  /** The size in the box's answer, by `sizeVersion`. */
  size: number;
}

export interface ProviderTable {
  id: string;
  version_id: string;
  name: string;
  name_key: string;
  architecture: string;
  architecture_key: string;
  /** 1 for exactly one of the architectures of a name in a version. */
  is_default: number;
  url: string | null;
  checksum: string | null;
  checksum_type: ChecksumType | null;
  hosted_token: string | null;
  image_key: string | null;
  image_size: number | null;
  /** JSON of `Digests`. */
  image_digests: string | null;
  downloads: number;
  created_time: number;
  updated_time: number;
}

export interface UploadTable {
  id: string;
  provider_id: string;
  account_id: string;
  token_id: string;
  direct: number;
  /** `open` until the image is received, `received` until the callback, then `done`. */
  state: 'open' | 'received' | 'done';
  image_key: string | null;
  image_size: number | null;
  image_digests: string | null;
  expiration_time: number;
}

export interface TwoFactorTable {
  account_id: string;
  /** Encrypted. */
  secret: Uint8Array;
  phone: string;
  confirmed: number;
  /** The time step of the last used code, since a code is valid once. */
  last_step: number;
}

export interface DeliveredCodeTable {
  account_id: string;
  hash: Uint8Array;
  expiration_time: number;
}

export interface SettingTable {
  name: string;
  value: string;
}

export interface Schema {
  namespace: NamespaceTable;
  released_name: ReleasedNameTable;
  member: MemberTable;
  box: BoxTable;
  download: DownloadTable;
  version: VersionTable;
  provider: ProviderTable;
  upload: UploadTable;
  token: TokenTable;
  two_factor: TwoFactorTable;
  delivered_code: DeliveredCodeTable;
  setting: SettingTable;
  secret: SecretTable;
  leftover: LeftoverTable;
}

/** Released migrations never change. */
export const migrations: readonly Migration[] = [
  {
    name: 'first tables',
    up: (db) =>
      db.exec(`
        CREATE TABLE namespace (
          id TEXT PRIMARY KEY,
          kind TEXT NOT NULL,
          account_id TEXT UNIQUE,
          name TEXT NOT NULL,
          name_key TEXT NOT NULL UNIQUE,
          profile TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          creator_id TEXT
        ) STRICT;
        CREATE INDEX namespace_creator ON namespace (creator_id) WHERE creator_id IS NOT NULL;
        CREATE TABLE released_name (name_key TEXT PRIMARY KEY, account_id TEXT) STRICT, WITHOUT ROWID;
        CREATE TABLE member (
          namespace_id TEXT NOT NULL REFERENCES namespace (id) ON DELETE CASCADE,
          account_id TEXT NOT NULL,
          role TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          PRIMARY KEY (namespace_id, account_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX member_account ON member (account_id);
        CREATE TABLE box (
          id TEXT PRIMARY KEY,
          namespace_id TEXT NOT NULL REFERENCES namespace (id),
          name TEXT NOT NULL,
          name_key TEXT NOT NULL,
          short_description TEXT NOT NULL,
          description TEXT NOT NULL,
          is_private INTEGER NOT NULL,
          downloads INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          UNIQUE (namespace_id, name_key)
        ) STRICT;
        CREATE TABLE download (
          box_id TEXT NOT NULL REFERENCES box (id) ON DELETE CASCADE,
          day INTEGER NOT NULL,
          count INTEGER NOT NULL,
          PRIMARY KEY (box_id, day)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX box_downloads ON box (downloads, id);
        CREATE INDEX box_created ON box (created_time, id);
        CREATE INDEX box_updated ON box (updated_time, id);
        CREATE TABLE version (
          id TEXT PRIMARY KEY,
          box_id TEXT NOT NULL REFERENCES box (id) ON DELETE CASCADE,
          version TEXT NOT NULL,
          description TEXT NOT NULL,
          status TEXT NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          size INTEGER NOT NULL,
          UNIQUE (box_id, version)
        ) STRICT;
        CREATE INDEX version_status ON version (box_id, status);
        CREATE INDEX version_listed ON version (box_id, status, version, id, size);
        CREATE TABLE provider (
          id TEXT PRIMARY KEY,
          version_id TEXT NOT NULL REFERENCES version (id) ON DELETE CASCADE,
          name TEXT NOT NULL,
          name_key TEXT NOT NULL,
          architecture TEXT NOT NULL,
          architecture_key TEXT NOT NULL,
          is_default INTEGER NOT NULL,
          url TEXT,
          checksum TEXT,
          checksum_type TEXT,
          hosted_token TEXT,
          image_key TEXT UNIQUE,
          image_size INTEGER,
          image_digests TEXT,
          downloads INTEGER NOT NULL,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          UNIQUE (version_id, name_key, architecture_key)
        ) STRICT;
        CREATE UNIQUE INDEX provider_default ON provider (version_id, name_key) WHERE is_default = 1;
        CREATE INDEX provider_architecture ON provider (version_id, architecture_key);
        CREATE TABLE upload (
          id TEXT PRIMARY KEY,
          provider_id TEXT NOT NULL REFERENCES provider (id) ON DELETE CASCADE,
          account_id TEXT NOT NULL,
          token_id TEXT NOT NULL,
          direct INTEGER NOT NULL,
          state TEXT NOT NULL,
          image_key TEXT,
          image_size INTEGER,
          image_digests TEXT,
          expiration_time INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX upload_waiting ON upload (account_id) WHERE state <> 'done';
        CREATE INDEX upload_provider ON upload (provider_id);
        CREATE INDEX upload_expiration ON upload (expiration_time);
        ${tokenTable};
        CREATE TABLE two_factor (
          account_id TEXT PRIMARY KEY,
          secret BLOB NOT NULL,
          phone TEXT NOT NULL,
          confirmed INTEGER NOT NULL,
          last_step INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE delivered_code (
          account_id TEXT PRIMARY KEY,
          hash BLOB NOT NULL,
          expiration_time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
        CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE leftover (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        ${['provider', 'upload']
          .map(
            (table) => `
        CREATE TRIGGER ${table}_image AFTER UPDATE OF image_key ON ${table}
          WHEN OLD.image_key IS NOT NEW.image_key BEGIN
          INSERT OR IGNORE INTO leftover SELECT OLD.image_key WHERE OLD.image_key IS NOT NULL;
          DELETE FROM leftover WHERE key = NEW.image_key;
        END;
        CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} WHEN OLD.image_key IS NOT NULL BEGIN
          INSERT OR IGNORE INTO leftover VALUES (OLD.image_key);
        END`,
          )
          .join(';')}`),
  },
];
