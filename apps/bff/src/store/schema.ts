/**
 * Tables of the console. Times are milliseconds since the epoch; what is sealed is base64 text. SQL is the subset
 * that SQLite and PostgreSQL share: TEXT and BIGINT, no defaults, no triggers.
 */

export interface SessionRow {
  /** Public handle. */
  id: string;
  /** SHA-256 of the cookie's value, in hex. */
  secret_hash: string;
  /** Environment, service and account of the sign-in: the same person in every browser. */
  person_id: string;
  person_name: string;
  login_name: string;
  environment: string;
  service: string;
  method: string;
  signed_in_at: number;
  last_active_at: number;
  expires_at: number;
  confirmed_until: number | null;
  address: string;
  client: string;
  /** Why the session ended: idle, expired or ended; null while it lasts. */
  ended: string | null;
  ended_at: number | null;
}

export interface ConnectionRow {
  session_id: string;
  environment: string;
  service: string;
  account_id: string;
  account_name: string;
  login_name: string;
  /** The service's own id of the token: not a secret. */
  token_id: string;
  /** The token, sealed. */
  sealed_token: string;
  connected_at: number;
  expires_at: number | null;
  /** 1 when the service has refused the token. */
  refused: number;
}

/** A token that is to be revoked at its service. */
export interface RevocationRow {
  id: string;
  session_id: string;
  environment: string;
  service: string;
  token_id: string;
  sealed_token: string;
  attempts: number;
  next_attempt_at: number;
  /** Nothing is left to revoke from then on. */
  give_up_at: number;
}

/** Sign-in attempts of an account from an address, or of an address. */
export interface AttemptRow {
  /** SHA-256 of what is counted, in hex. */
  key: string;
  failures: number;
  next_allowed_at: number;
  last_at: number;
}

export interface PreferenceRow {
  person_id: string;
  key: string;
  /** JSON text. */
  value: string;
}

export interface Schema {
  session: SessionRow;
  connection: ConnectionRow;
  revocation: RevocationRow;
  sign_in_attempt: AttemptRow;
  preference: PreferenceRow;
}

/** The schema's history; each step is applied once, in order, in a transaction. */
export const migrations: readonly { readonly name: string; readonly sql: readonly string[] }[] = [
  {
    name: '0001 sessions, connections, revocations, sign-in attempts, preferences',
    sql: [
      `CREATE TABLE session (
        id TEXT NOT NULL PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE,
        person_id TEXT NOT NULL, person_name TEXT NOT NULL, login_name TEXT NOT NULL,
        environment TEXT NOT NULL, service TEXT NOT NULL, method TEXT NOT NULL,
        signed_in_at BIGINT NOT NULL, last_active_at BIGINT NOT NULL, expires_at BIGINT NOT NULL,
        confirmed_until BIGINT, address TEXT NOT NULL, client TEXT NOT NULL, ended TEXT, ended_at BIGINT)`,
      'CREATE INDEX session_person ON session (person_id)',
      'CREATE INDEX session_end ON session (ended_at)',
      `CREATE TABLE connection (
        session_id TEXT NOT NULL REFERENCES session (id), environment TEXT NOT NULL, service TEXT NOT NULL,
        account_id TEXT NOT NULL, account_name TEXT NOT NULL, login_name TEXT NOT NULL,
        token_id TEXT NOT NULL, sealed_token TEXT NOT NULL,
        connected_at BIGINT NOT NULL, expires_at BIGINT, refused BIGINT NOT NULL,
        PRIMARY KEY (session_id, environment, service))`,
      `CREATE TABLE revocation (
        id TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL, environment TEXT NOT NULL, service TEXT NOT NULL,
        token_id TEXT NOT NULL, sealed_token TEXT NOT NULL,
        attempts BIGINT NOT NULL, next_attempt_at BIGINT NOT NULL, give_up_at BIGINT NOT NULL)`,
      'CREATE INDEX revocation_due ON revocation (next_attempt_at)',
      `CREATE TABLE sign_in_attempt (
        key TEXT NOT NULL PRIMARY KEY, failures BIGINT NOT NULL, next_allowed_at BIGINT NOT NULL, last_at BIGINT NOT NULL)`,
      'CREATE INDEX sign_in_attempt_last ON sign_in_attempt (last_at)',
      `CREATE TABLE preference (
        person_id TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (person_id, key))`,
    ],
  },
];
