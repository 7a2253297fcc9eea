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
  /** How the account signed in. */
  method: string;
  /** Until when the password (or token) of the account, entered again, counts. */
  confirmed_until: number | null;
}

/** A token that is to be revoked at its service. */
export interface RevocationRow {
  id: string;
  session_id: string;
  environment: string;
  service: string;
  token_id: string;
  sealed_token: string;
  /** Counts attempts: a process has a row for as long as this is its count. */
  attempts: number;
  /** During an attempt the end of its lease. */
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

/** One row of the audit trail: never changed, never removed. */
export interface AuditRow {
  /** From 1, without a gap. */
  sequence: number;
  time: number;
  /** Of an outcome the sequence of its intent; null of an intent, and of what has no intent. */
  intent: number | null;
  person_id: string;
  person_name: string;
  login_name: string;
  session_id: string;
  address: string;
  environment: string;
  /** Empty for what is the console's own. */
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
  /** Which of the trail's keys `hash` was made with. */
  key_id: string;
  hash: string;
}

/** The last row of the audit trail. There is one. */
export interface AuditHeadRow {
  id: number;
  sequence: number;
  hash: string;
  /** What says, with a key, that this is the head; null until the first row with a key. */
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
  /** The process that wrote it. */
  instance: string;
  /** What was asked for, without secrets, sealed: for finding out later whether it was done. */
  sealed_wish: string;
}

/** One person's publishing of a version of a box. */
export interface PublishRunRow {
  id: string;
  environment: string;
  person_id: string;
  /** `open`, `released` or `abandoned`. */
  state: string;
  /** Counts changes of the plan. */
  revision: number;
  /** JSON text of the plan with what came of each step. */
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
  /** Of the delivery, while it has its token: whose session it is from, and the token, sealed. */
  session_id: string | null;
  token_id: string | null;
  sealed_token: string | null;
  token_expires_at: number | null;
  username: string | null;
  /** The process that delivers, and until when nobody else does; with no process, when the last one let it go. */
  worker: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
}

/** A console on this database, and the folder in which it keeps uploads. */
export interface UploadsFolderRow {
  /** `folder/replica` */
  id: string;
  /** When it last said that it uses it. */
  seen_at: number;
}

/** What the cluster of an environment last told of itself. */
export interface KnownClusterRow {
  environment: string;
  /** Of its replication. */
  mode: string;
  cluster_id: string | null;
  cluster_address: string | null;
  seen_at: number;
}

/** A job that brings boxes or modules here from another registry. */
export interface MoveRow {
  id: string;
  environment: string;
  /** `boxes` or `modules`: the service here too. */
  kind: string;
  state: string;
  /** While it is paused: why, in a word and in a sentence, and what it was doing. */
  pause_reason: string | null;
  pause_detail: string | null;
  pause_while: string | null;
  /** Until when the source or the registry here is left alone. */
  waits_until: number | null;
  /** Counts changes of its plan and its choice. */
  revision: number;
  person_id: string;
  person_name: string;
  /** Of the source. */
  address: string;
  /** 1 when the source was last read with a token. */
  used_token: number;
  /** The source's token, sealed; null whenever the move rests. */
  sealed_source: string | null;
  /** Of the registry here: whose session the token is from, and the token, sealed; null whenever the move rests. */
  session_id: string | null;
  token_id: string | null;
  sealed_token: string | null;
  username: string | null;
  /** The request that began what it does, or did last: entries of the trail lead to one another by it. */
  request_id: string;
  /** JSON text of an array of names. */
  wanted: string;
  /** How many of these were looked up in this pass. */
  expanded: number;
  /** JSON text of the choice. */
  choice: string;
  /** Counts the readings of both registries. */
  pass: number;
  planned_at: number | null;
  /** The process that is at it, and until when nobody else is. */
  worker: string | null;
  lease_until: number;
  created_at: number;
  updated_at: number;
}

/** A box or a module of a move. */
export interface MoveItemRow {
  id: string;
  move_id: string;
  /** At the source. */
  name: string;
  /** The first part of its name. */
  owner: string;
  name_here: string;
  chosen: number;
  is_here: number;
  /** 0 or 1 as the source says; `assumedPrivate` if it doesn't say and was read with a token, else null. */
  is_private: number | null;
  short_description: string;
  description: string;
  /** Of a module: where its source is. */
  source_url: string;
  newest: string | null;
  /** The last pass in which it was read; 0 before the first. */
  pass: number;
  /** 1 when its newest release can be used here. */
  usable: number;
  /** JSON text of an array of clashes. */
  clashes: string;
  /** Why nothing of it can be copied; empty where something can. */
  refused: string;
  problem_code: string | null;
  problem_detail: string | null;
}

/** A version of a box or a module of a move. */
export interface MoveVersionRow {
  id: string;
  move_id: string;
  item_id: string;
  version: string;
  /** 0 for the newest. */
  rank: number;
  /** 0 for the newest release, which is copied first. */
  priority: number;
  /** Of a box its text; of a module JSON text of why it should not be used, or nothing. */
  description: string;
  status: string;
  status_here: string | null;
  chosen: number;
  /** JSON text of an array of words. */
  differs: string;
  /** 1 when this move created it, or what is here lacks nothing but its pieces. */
  completes: number;
  /** `open` until its state here is what it is at the source; `done`, or `failed`. */
  phase: string;
  /** 1 from when this move releases it here (of a module: publishes it), unless that is known to have failed. */
  released: number;
  /** 1 where whoever began the copy agreed to add to it, though it is released here. */
  agreed: number;
}

/** An image or an archive of a move. */
export interface MovePieceRow {
  id: string;
  move_id: string;
  item_id: string;
  version_id: string;
  /** Of its version. */
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
  /** What the plan found: `missing`, `here`, `clash` or `not-copied`; and why. */
  plan: string;
  plan_detail: string;
  /** What it is by the choice and the copying. */
  state: string;
  detail: string;
  /** Bytes that are in the spool for certain, and what tells that those that follow belong to them. */
  received: number;
  validator: string;
  sha256: string;
  attempts: number;
  updated_at: number;
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

/** Something that one console is doing, and that no other may do meanwhile. */
export interface TurnRow {
  id: string;
  worker: string;
  lease_until: number;
}

export interface Schema {
  session: SessionRow;
  connection: ConnectionRow;
  revocation: RevocationRow;
  sign_in_attempt: AttemptRow;
  preference: PreferenceRow;
  audit: AuditRow;
  audit_head: AuditHeadRow;
  audit_key: AuditKeyRow;
  audit_open: AuditOpenRow;
  publish_run: PublishRunRow;
  publish_event: PublishEventRow;
  publish_upload: PublishUploadRow;
  uploads_folder: UploadsFolderRow;
  turn: TurnRow;
  known_cluster: KnownClusterRow;
  move: MoveRow;
  move_item: MoveItemRow;
  move_version: MoveVersionRow;
  move_piece: MovePieceRow;
  move_event: MoveEventRow;
}
