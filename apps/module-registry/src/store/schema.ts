import { tokenTable } from '@gatehouse/service-kit/account-tokens';
import type { TokenTable } from '@gatehouse/service-kit/account-tokens';
import type { LeftoverTable } from '@gatehouse/service-kit/object-store/noted-objects';
import type { SecretTable } from '@gatehouse/service-kit/signing-key';
import type { Migration } from '@gatehouse/service-kit/store';
import type { Generated } from 'kysely';

export interface NamespaceTable {
  name: string;
  account_id: string;
  created_time: number;
}

export interface ModuleTable {
  id: Generated<number>;
  namespace: string;
  name: string;
  provider: string;
  verified: number;
  /** Null if all versions are revoked or deleted. */
  latest_id: number | null;
  /** The text that searches look in, in lower case. */
  search: string;
  /** Of all its versions since it was created. */
  downloads: number;
  created_time: number;
}

export interface VersionTable {
  id: Generated<number>;
  module_id: number;
  version: string;
  description: string;
  source: string;
  owner: string;
  /** Null for a deleted version. */
  archive_key: string | null;
  archive_size: number;
  archive_sha256: string;
  /** JSON, like the next two: `root`, `submodules` and `examples`. Null for a deleted version. */
  folders: string | null;
  needs: string | null;
  problems: string | null;
  /** JSON; null for a usable version. */
  deprecation: string | null;
  published_time: number;
  /** Deleted versions stay, to reserve their numbers. */
  deleted_time: number | null;
}

/** The downloads of a version on one day. */
export interface DownloadTable {
  module_id: number;
  version_id: number;
  /** Days since the epoch, UTC. */
  day: number;
  count: number;
}

/** The downloads of a module on one day, so that totals are read without the rows of its versions. */
export interface DownloadDayTable {
  module_id: number;
  day: number;
  /** The number of its rows in `download`. */
  versions: number;
  count: number;
}

export interface ConsumerTable {
  module_id: number;
  version_id: number;
  token_id: string;
  token: string;
  owner: string;
  downloads: number;
  last_time: number;
}

export interface Schema {
  namespace: NamespaceTable;
  module: ModuleTable;
  version: VersionTable;
  download: DownloadTable;
  download_day: DownloadDayTable;
  consumer: ConsumerTable;
  token: TokenTable;
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
          name TEXT PRIMARY KEY COLLATE NOCASE,
          account_id TEXT NOT NULL,
          created_time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE module (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          namespace TEXT NOT NULL COLLATE NOCASE REFERENCES namespace (name),
          name TEXT NOT NULL COLLATE NOCASE,
          provider TEXT NOT NULL,
          verified INTEGER NOT NULL,
          latest_id INTEGER,
          search TEXT NOT NULL,
          downloads INTEGER NOT NULL DEFAULT 0,
          created_time INTEGER NOT NULL,
          UNIQUE (namespace, name, provider)
        ) STRICT;
        CREATE TABLE version (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          module_id INTEGER NOT NULL REFERENCES module (id),
          version TEXT NOT NULL,
          description TEXT NOT NULL,
          source TEXT NOT NULL,
          owner TEXT NOT NULL,
          archive_key TEXT UNIQUE,
          archive_size INTEGER NOT NULL,
          archive_sha256 TEXT NOT NULL,
          deprecation TEXT,
          published_time INTEGER NOT NULL,
          deleted_time INTEGER,
          folders TEXT,
          needs TEXT,
          problems TEXT,
          UNIQUE (module_id, version)
        ) STRICT;
        CREATE INDEX version_deprecated ON version (id) WHERE deprecation IS NOT NULL;
        CREATE TABLE download (
          module_id INTEGER NOT NULL REFERENCES module (id),
          version_id INTEGER NOT NULL REFERENCES version (id),
          day INTEGER NOT NULL,
          count INTEGER NOT NULL,
          PRIMARY KEY (module_id, day, version_id)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE download_day (
          module_id INTEGER NOT NULL REFERENCES module (id),
          day INTEGER NOT NULL,
          versions INTEGER NOT NULL,
          count INTEGER NOT NULL,
          PRIMARY KEY (module_id, day)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE consumer (
          module_id INTEGER NOT NULL REFERENCES module (id),
          version_id INTEGER NOT NULL REFERENCES version (id),
          token_id TEXT NOT NULL,
          token TEXT NOT NULL,
          owner TEXT NOT NULL,
          downloads INTEGER NOT NULL,
          last_time INTEGER NOT NULL,
          PRIMARY KEY (module_id, version_id, token_id)
        ) STRICT, WITHOUT ROWID;
        ${tokenTable};
        CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
        CREATE TABLE leftover (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TRIGGER version_published AFTER INSERT ON version BEGIN
          DELETE FROM leftover WHERE key = NEW.archive_key;
        END;
        CREATE TRIGGER version_archive AFTER UPDATE OF archive_key ON version
          WHEN OLD.archive_key IS NOT NEW.archive_key BEGIN
          INSERT OR IGNORE INTO leftover SELECT OLD.archive_key WHERE OLD.archive_key IS NOT NULL;
        END`),
  },
];
