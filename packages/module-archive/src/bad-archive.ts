/** An archive that is no module: it is not kept. The message is for who sent it. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
  /** Whether its size alone is why. */
  readonly isTooLarge: boolean;

  constructor(message: string, { isTooLarge = false }: { readonly isTooLarge?: boolean } = {}) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** An archive that is not kept, and why. */
export function badArchive(why: string): BadArchive {
  return new BadArchive(`The archive was refused: ${why}`);
}

/** An archive that isn't read because too many wait. The message is for who sent it; the same archive can be sent again. */
export class ReaderBusy extends Error {
  override readonly name = 'ReaderBusy';
  /** Whether the sender's own archives are why. */
  readonly isOwn: boolean;
  readonly retryAfterSeconds = 30;

  constructor(message: string, isOwn: boolean = false) {
    super(message);
    this.isOwn = isOwn;
  }
}
