/** An archive that is not a module and is not stored. The message is for its sender. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
  /** Whether the archive's size is the only reason. */
  readonly isTooLarge: boolean;

  constructor(message: string, { isTooLarge = false }: { readonly isTooLarge?: boolean } = {}) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** The error for an archive that is not stored, with the reason. */
export function badArchive(why: string): BadArchive {
  return new BadArchive(`The archive was refused: ${why}`);
}

/** The archive isn't read because too many wait. The message is for its sender, who can send the archive again. */
export class ReaderBusy extends Error {
  override readonly name = 'ReaderBusy';
  /** Whether the sender's own archives are the reason. */
  readonly isOwn: boolean;
  readonly retryAfterSeconds = 30;

  constructor(message: string, isOwn: boolean = false) {
    super(message);
    this.isOwn = isOwn;
  }
}
