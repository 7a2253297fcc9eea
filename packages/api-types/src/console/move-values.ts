/** States and kinds in moves, without the schemas, which lists don't need. */

export const moveKinds = ['boxes', 'modules'] as const;
export type MoveKind = (typeof moveKinds)[number];

/**
 * `planning`: reading both registries, copying nothing. `planned`: the plan is complete and waits for a choice or the
 * start. `copying` → `done`. `paused`: see `pause`. `abandoned`: ended by the user; copies stay here.
 */
export const moveStates = ['planning', 'planned', 'copying', 'paused', 'done', 'abandoned'] as const;
export type MoveState = (typeof moveStates)[number];

/** Why a move is paused. */
export const pauseReasons = [
  /** A user paused it. */
  'person',
  /** Its owner is disabled, or this registry refuses their token. */
  'token-ended',
  /** Its owner can no longer publish here. */
  'forbidden',
  /** The source requires another token. */
  'source-token',
  /** The source or this registry has not answered for ten minutes. */
  'unreachable',
  /** The console has no room for images being copied. */
  'storage-full',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/**
 * State of a piece. `missing`: will be copied. `left-out`: not chosen. `here`: an identical one already exists here.
 * `clash`: another one exists here under its name and stays. `waiting`, `copying`, `copied`: handled by the job.
 * `linked`: only the address was copied. `not-copied`: can't be copied, see `detail`. `failed`: see `detail`; can be
 * retried.
 */
export const pieceStates = [
  'missing',
  'left-out',
  'here',
  'clash',
  'waiting',
  'copying',
  'copied',
  'linked',
  'not-copied',
  'failed',
] as const;
export type PieceState = (typeof pieceStates)[number];

/** Problems with all or part of an item. */
export const clashKinds = [
  /** This registry doesn't accept the name. */
  'name-refused',
  /** Clients can't parse the version number. */
  'version-refused',
  /** The owner doesn't exist here and the caller can't create it, or the caller can't publish there. */
  'owner-refused',
  /** The description, privacy or state differs from the existing one, which stays. */
  'record-differs',
  /** An image or archive with another checksum exists here and stays. */
  'piece-differs',
  /** The source can't be read completely. */
  'unreadable',
  /** Two items would get the same name here. */
  'same-name',
] as const;

/** Notices about an item that block nothing. */
export const noticeKinds = [
  /** The owner (namespace) doesn't exist here and is created as an organization. */
  'owner-created',
  /** The source doesn't report whether a box that is read with a token is private, so it becomes private here. */
  'privacy-unknown',
  /** The source has no checksum, so one is computed here. */
  'no-checksum',
] as const;

/** Most boxes or modules of one page. */
export const moveItemLimit = 100;
