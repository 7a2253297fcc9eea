type StoreTrouble = 'full' | 'busy' | 'incomplete' | 'failed';

/**
 * The store failed through no fault of the caller: `full` (no space left), `busy` (another process held the database
 * beyond the deadline), `incomplete` (some acknowledged data is missing) or `failed` (reading or writing failed).
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly reason: StoreTrouble;

  constructor(reason: StoreTrouble, cause: unknown) {
    super(`store unavailable: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** A database can't be opened. The message says in one line which, and why. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** SQLite's primary result code of an error from node:sqlite; undefined for any other value. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** Converts a thrown value to `StoreUnavailable`; undefined if the statement itself is at fault. */
export function asStoreUnavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof StoreUnavailable) return error;
  const code = resultCode(error);
  if (code === undefined) return undefined;
  switch (code & 0xff) {
    case 13: // SQLITE_FULL
      return new StoreUnavailable('full', error);
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return new StoreUnavailable('busy', error);
    case 7: // SQLITE_NOMEM
    case 8: // SQLITE_READONLY
    case 10: // SQLITE_IOERR
    case 11: // SQLITE_CORRUPT
    case 14: // SQLITE_CANTOPEN
    case 26: // SQLITE_NOTADB
      return new StoreUnavailable('failed', error);
    default:
      return undefined;
  }
}

/** Whether a statement violated a uniqueness constraint. */
export function isUniqueViolation(error: unknown): boolean {
  const code = resultCode(error);
  return code === 2067 || code === 1555; // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY
}
