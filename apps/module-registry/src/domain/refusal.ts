/** Why a request was refused. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not found'
  | 'conflict'
  | 'changed'
  | 'unprocessable';

/** A request that the rules do not allow. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** What is wrong, in sentences for the caller; one at least. */
  readonly errors: readonly string[];

  constructor(kind: RefusalKind, ...errors: readonly [string, ...string[]]) {
    super(errors.join('; '));
    this.kind = kind;
    this.errors = errors;
  }
}

/** Something that is not there. */
export function notFound(what = 'Not found'): Refusal {
  return new Refusal('not found', what);
}
