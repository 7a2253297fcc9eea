/** What moves are called and counted by, without the schemas: lists need no more. */

export const moveKinds = ['boxes', 'modules'] as const;
export type MoveKind = (typeof moveKinds)[number];

/**
 * `planning`: the registries are read, nothing is copied. `planned`: what would be done is known; it waits for a choice, or
 * for its start. `copying` → `done`. `paused`: see `pause`. `abandoned`: ended by a person; what was copied stays here.
 */
export const moveStates = ['planning', 'planned', 'copying', 'paused', 'done', 'abandoned'] as const;
export type MoveState = (typeof moveStates)[number];

/** Why a move is paused. */
export const pauseReasons = [
  /** Somebody paused it. */
  'person',
  /** Its owner was disabled, or the registry here refuses their token. */
  'token-ended',
  /** Its owner may not publish here any more. */
  'forbidden',
  /** The source wants another token. */
  'source-token',
  /** The source, or the registry here, has not answered for ten minutes. */
  'unreachable',
  /** The console has no room for images on their way. */
  'storage-full',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/**
 * Of an image, an archive, or what stands for it. `missing`: it will be copied. `left-out`: by the choice. `here`: it was here
 * already, and is the same. `clash`: something else is here under its name; it stays as it is. `waiting`, `copying`,
 * `copied`: it is the job's. `linked`: its address was copied, not its bytes. `not-copied`: it can't be, see `detail`.
 * `failed`: see `detail`; it can be tried again.
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

/** Problems of an item, wholly or in part. */
export const clashKinds = [
  /** A name that this registry does not take. */
  'name-refused',
  /** A version number that clients can't read. */
  'version-refused',
  /** The owner does not exist here, and the caller may not create it; or may not publish there. */
  'owner-refused',
  /** Its description, privacy or state differs here: what is here stays. */
  'record-differs',
  /** An image or archive with another checksum is here: it stays. */
  'piece-differs',
  /** The source can't be read to the end. */
  'unreadable',
  /** Two items would get the same name here. */
  'same-name',
] as const;

/** What is worth knowing of an item, and stands in the way of nothing. */
export const noticeKinds = [
  /** The owner (namespace) does not exist here: it is created as an organization. */
  'owner-created',
  /** The source does not say whether a box that is read with a token is private: it becomes private here. */
  'privacy-unknown',
  /** The source gives no checksum: one is made here. */
  'no-checksum',
] as const;

/** Boxes or modules of one page at most. */
export const moveItemLimit = 100;
