import type { Role } from './account.ts';
import type { Migration } from './store.ts';

export interface AccountTable {
  id: string;
  login_name: string;
  login_key: string;
  full_name: string;
  email: string;
  /** In lower case. */
  email_key: string;
  disabled: number;
  password: string;
  role_access: Role | null;
  role_secrets: Role | null;
  role_boxes: Role | null;
  role_modules: Role | null;
  created_time: number;
  updated_time: number;
  version: number;
  password_version: number;
}

export interface Schema {
  account: AccountTable;
  /** Addresses that accounts have signed in from, as hashes of account and address. */
  known_address: { key: string; time: number };
  /** Accounts whose sessions must end. */
  sessions_to_end: { account_id: string; version: number; time: number };
  /** The IDs of deleted accounts. */
  removed_account: { id: string };
}

export const migrations: readonly Migration[] = [
  {
    name: 'first tables',
    up: (db) =>
      db.exec(`
        CREATE TABLE account (
          id TEXT PRIMARY KEY,
          login_name TEXT NOT NULL,
          login_key TEXT NOT NULL UNIQUE,
          full_name TEXT NOT NULL,
          email TEXT NOT NULL,
          email_key TEXT NOT NULL,
          disabled INTEGER NOT NULL,
          password TEXT NOT NULL,
          role_access TEXT,
          role_secrets TEXT,
          role_boxes TEXT,
          role_modules TEXT,
          created_time INTEGER NOT NULL,
          updated_time INTEGER NOT NULL,
          version INTEGER NOT NULL,
          password_version INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX account_email ON account (email_key);
        CREATE INDEX account_created ON account (created_time, id);
        CREATE TABLE known_address (key TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT;
        CREATE INDEX known_address_time ON known_address (time);
        CREATE TABLE sessions_to_end (
          account_id TEXT PRIMARY KEY,
          version INTEGER NOT NULL,
          time INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE removed_account (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`),
  },
];
