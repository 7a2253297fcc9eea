export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not found'
  | 'conflict'
  | 'changed'
  | 'unprocessable';

/** A request that the rules don't allow. Nothing has changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** At least one sentence for the caller. */
  readonly errors: readonly string[];

  constructor(kind: RefusalKind, ...errors: readonly [string, ...string[]]) {
    super(errors.join('; '));
    this.kind = kind;
    this.errors = errors;
  }
}

export function notFound(what = 'Not found'): Refusal {
  return new Refusal('not found', what);
}
