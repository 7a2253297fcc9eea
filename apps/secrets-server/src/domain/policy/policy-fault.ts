/** Why a policy text was refused, and where. */
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

/** A place in a text; both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}
