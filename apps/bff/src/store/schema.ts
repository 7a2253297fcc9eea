/**
 * The console's tables. Times are milliseconds since the epoch; encrypted values are base64 text. SQL is the subset
 * that SQLite and PostgreSQL share: TEXT and BIGINT, no defaults, no triggers.
 */
import type { SecretDateKind } from '@gatehouse/api-types/console/secret-dates';

export interface SessionRow {
  /** Public ID. */
  id: string;
  /** SHA-256 of the cookie's value, in hexadecimal. */
  secret_hash: string;
  /** Environment, service and account of the sign-in, the same in all of the user's browsers. */
  person_id: string;
  person_name: string;
  login_name: string;
  environment: string;
  service: string;
  method: string;
  signed_in_at: number;
  last_active_at: number;
  expires_at: number;
  address: string;
  client: string;
  /** Why the session ended: idle, expired or ended; null while it is active. */
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
  /** The service's own ID of the token, which isn't secret. */
  token_id: string;
  /** The encrypted token. */
  sealed_token: string;
  connected_at: number;
  expires_at: number | null;
  /** 1 if the service has refused the token. */
  refused: number;
  /** How the account signed in. */
  method: string;
  /** Until when the account's entered password or token counts. */
  confirmed_until: number | null;
}

/** A token to be revoked at its service. */
export interface RevocationRow {
  id: string;
  session_id: string;
  environment: string;
  service: string;
  token_id: string;
  sealed_token: string;
  /** Counts attempts. A process has the row while this is its count. */
  attempts: number;
  /** During an attempt, the end of its lease. */
  next_attempt_at: number;
  /** From then on, nothing is left to revoke. */
  give_up_at: number;
}

/** Sign-in attempts of an account from an address, or of an address. */
export interface AttemptRow {
  /** SHA-256 of what is counted, in hexadecimal. */
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

/** A row of the audit trail, which is never changed or removed. */
export interface AuditRow {
  /** From 1, without gaps. */
  sequence: number;
  time: number;
  /** The sequence of an outcome's intent; null for an intent, and for a row without one. */
  intent: number | null;
  person_id: string;
  person_name: string;
  login_name: string;
  session_id: string;
  address: string;
  environment: string;
  /** Empty for the console's own actions. */
  service: string;
  action: string;
  resource_kind: string;
  resource_id: string;
  resource_name: string;
  /** JSON text of an array of paths. */
  paths: string;
  /** JSON text of an array of decisions. */
  decisions: string;
  revision_before: string | null;
  revision_after: string | null;
  /** `intent`, or the outcome. */
  outcome: string;
  problem: string | null;
  request_id: string;
  previous_hash: string;
  /** The key of `hash`. */
  key_id: string;
  hash: string;
}

/** The last row of the audit trail, in a single row. */
export interface AuditHeadRow {
  id: number;
  sequence: number;
  hash: string;
  /** Signs the head; null until the first row with a key. */
  key_id: string | null;
  seal: string | null;
}

/** A key of the audit trail. */
export interface AuditKeyRow {
  id: string;
  sealed_key: string;
  created_at: number;
}

/** An intent of the audit trail without a known outcome. */
export interface AuditOpenRow {
  intent: number;
  /** The process that wrote the intent. */
  instance: string;
  /** The request without secrets, encrypted, to find out later whether the change was made. */
  sealed_wish: string;
}

/** The values of a change's fields before and after it, kept for 90 days. */
export interface AuditValuesRow {
  intent: number;
  /** When the outcome was recorded. */
  time: number;
  /** Encrypted. */
  sealed: string;
}

/** A user's publishing of a box version. */
export interface PublishRunRow {
  id: string;
  environment: string;
  person_id: string;
  /** `open`, `released` or `abandoned`. */
  state: string;
  /** Counts changes of the plan. */
  revision: number;
  /** JSON text of the plan with each step's result. */
  plan: string;
  created_at: number;
  updated_at: number;
}

/** A line of a run's log. */
export interface PublishEventRow {
  run_id: string;
  /** Time in milliseconds and a count, so that lines sort. */
  id: string;
  at: number;
  provider: string | null;
  text: string;
  failed: number;
}

/** An image on its way from a browser to a registry. */
export interface PublishUploadRow {
  id: string;
  run_id: string;
  provider_id: string;
  environment: string;
  person_id: string;
  file_name: string;
  size: number;
  last_modified: number;
  fingerprint: string;
  state: string;
  received: number;
  delivered: number;
  attempts: number;
  delivery_started_at: number | null;
  sha256: string | null;
  problem_code: string | null;
  problem_detail: string | null;
  retry: string | null;
  /** The delivery's session and encrypted token, while it has the token. */
  session_id: string | null;
  token_id: string | null;
  sealed_token: string | null;
  token_expires_at: number | null;
  username: string | null;
  /**
   * The delivering process, and until when nobody else delivers; without a process, when the last one released the row.
   */
  worker: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
}

/** A console with this database, and its folder of uploads. */
export interface UploadsFolderRow {
  /** `folder/replica` */
  id: string;
  /** When the console last reported that it uses the folder. */
  seen_at: number;
  /** The console's `environmentsMark`. */
  environments: string;
}

/** The last known state of an environment's cluster. */
export interface KnownClusterRow {
  environment: string;
  /** Of its replication. */
  mode: string;
  cluster_id: string | null;
  cluster_address: string | null;
  seen_at: number;
}

/** A date in a secret's custom metadata, as it was last seen. */
export interface SecretDateRow {
  environment: string;
  mount: string;
  /** The first name of the path, if it has several; otherwise empty. */
  folder: string;
  path: string;
  /** A `SecretDateKind`. */
  kind: SecretDateKind;
  at: number;
}

/** A move of boxes or modules from another registry. */
export interface MoveRow {
  id: string;
  environment: string;
  /** `boxes` or `modules`, which is also the service here. */
  kind: string;
  state: string;
  /** While paused: the reason as a word and a sentence, and the interrupted phase. */
  pause_reason: string | null;
  pause_detail: string | null;
  pause_while: string | null;
  /** Until when the source or the registry here isn't called. */
  waits_until: number | null;
  /** Counts changes of the plan and the choice. */
  revision: number;
  person_id: string;
  person_name: string;
  /** The source's address. */
  address: string;
  /** 1 if the source was last read with a token. */
  used_token: number;
  /** The source's encrypted token; null whenever the move rests. */
  sealed_source: string | null;
  /** The session and the encrypted token for the registry here; null whenever the move rests. */
  session_id: string | null;
  token_id: string | null;
  sealed_token: string | null;
  username: string | null;
  /** The request that started the current or last work. It connects the trail's entries. */
  request_id: string;
  /** How many of the wanted names were read in this pass. */
  expanded: number;
  /** 1 while the choice isn't applied to all rows. */
  unapplied: number;
  /** Counts the readings of both registries. */
  pass: number;
  planned_at: number | null;
  /** The working process, and until when nobody else works on the move. */
  worker: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
}

/** The long texts of a move. */
export interface MoveTextRow {
  move_id: string;
  /** JSON text of the choice. */
  choice: string;
  /** JSON text of an array of names. */
  wanted: string;
}

/** A box or module of a move. */
export interface MoveItemRow {
  id: string;
  move_id: string;
  /** At the source. */
  name: string;
  /** The first part of its name. */
  owner: string;
  name_here: string;
  chosen: number;
  /** 0 or 1; `privateHere` for a box that is private here. */
  is_here: number;
  /** 0 or 1 as the source says; `assumedPrivate` if the source doesn't say and was read with a token, else null. */
  is_private: number | null;
  /** What its versions and pieces count: `weightOf` of the plan. */
  weight: number;
  short_description: string;
  description: string;
  /** Where a module's source is. */
  source_url: string;
  newest: string | null;
  /** The last pass in which the item was read; 0 before the first. */
  pass: number;
  /** 1 if its newest release can be used here. */
  usable: number;
  /** JSON text of an array of clashes. */
  clashes: string;
  /** Why it can't be copied at all; empty if a part can. */
  refused: string;
  problem_code: string | null;
  problem_detail: string | null;
}

/** A version of a box or module of a move. */
export interface MoveVersionRow {
  id: string;
  move_id: string;
  item_id: string;
  version: string;
  /** 0 for the newest. */
  rank: number;
  /** 0 for the newest release, which is copied first. */
  priority: number;
  /** A box version's description; a module version's deprecation as JSON text, or nothing. */
  description: string;
  status: string;
  status_here: string | null;
  chosen: number;
  /** JSON text of an array of words. */
  differs: string;
  /** 1 if this move created the version, or if the version here lacks only pieces. */
  completes: number;
  /** `open` until its state here is the same as at the source; then `done`, or `failed`. */
  phase: string;
  /** 1 from when this move releases it here (publishes it, for a module), unless that is known to have failed. */
  released: number;
  /** 1 if the user who started the copy agreed to add to the version, though it is released here. */
  agreed: number;
}

/** An image or archive of a move. */
export interface MovePieceRow {
  id: string;
  move_id: string;
  item_id: string;
  version_id: string;
  /** The version's priority. */
  priority: number;
  /** Within its version: default architectures come first. */
  place: number;
  provider: string;
  architecture: string;
  is_default: number | null;
  hosted: number;
  url: string;
  checksum: string;
  checksum_type: string;
  size: number | null;
  /** What the plan found, `missing`, `here`, `clash` or `not-copied`, and why. */
  plan: string;
  plan_detail: string;
  /** The state after the choice and the copying. */
  state: string;
  detail: string;
  /** Bytes that are in the spool for certain, and the validator that proves that the following ones belong to them. */
  received: number;
  validator: string;
  sha256: string;
  attempts: number;
  updated_at: number;
  /** `imageMark` of the image that was found or copied here; empty without one. */
  image_here: string;
  /** The byte up to which room is reserved while it is copied. */
  reserved: number;
}

/** A line of a move's log. */
export interface MoveEventRow {
  move_id: string;
  /** Time in milliseconds and a count, so that lines sort. */
  id: string;
  at: number;
  item: string | null;
  text: string;
  failed: number;
}

/** Something that one console is doing, and that no other may do at the same time. */
export interface TurnRow {
  id: string;
  worker: string;
  lease_until: number;
}

export interface Schema {
  session: SessionRow;
  connection: ConnectionRow;
  /** Services in which a session's account has no role. */
  no_access: Pick<ConnectionRow, 'session_id' | 'environment' | 'service'>;
  revocation: RevocationRow;
  sign_in_attempt: AttemptRow;
  preference: PreferenceRow;
  audit: AuditRow;
  audit_head: AuditHeadRow;
  audit_key: AuditKeyRow;
  audit_open: AuditOpenRow;
  audit_values: AuditValuesRow;
  publish_run: PublishRunRow;
  publish_event: PublishEventRow;
  publish_upload: PublishUploadRow;
  uploads_folder: UploadsFolderRow;
  turn: TurnRow;
  known_cluster: KnownClusterRow;
  secret_date: SecretDateRow;
  move: MoveRow;
  move_text: MoveTextRow;
  move_item: MoveItemRow;
  move_version: MoveVersionRow;
  move_piece: MovePieceRow;
  move_event: MoveEventRow;
}
