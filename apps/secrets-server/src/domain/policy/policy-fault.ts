/** The reason and position of an error in a policy's text. */
export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;

  constructor(position: Position, message: string) {
    super(`At ${position.line}:${position.column}: ${message}`);
    this.line = position.line;
    this.column = position.column;
  }
}

/** A position in a text; both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
