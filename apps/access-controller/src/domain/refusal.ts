import type { SourceFailureReason } from './vault-store/failure.ts';

/** What is wrong with one field of a request; `name` is its path (`attributes.default_port`). */
export interface FieldFault {
  readonly name: string;
  readonly description: string;
}

/** Why a request was refused. */
export type RefusalKind =
  | 'invalid argument'
  | 'failed precondition'
  | 'credential source failed'
  | 'duplicate name'
  | 'invalid list token'
  | 'unauthenticated'
  | 'sign-in failed'
  | 'forbidden'
  | 'not found'
  | 'not found or stale'
  | 'method not allowed';

/** Which library gave no credential, of which store, and why. */
export interface FailedSource {
  readonly libraryId: string;
  readonly storeId: string;
  readonly reason: SourceFailureReason;
}

/** A request that the rules do not allow. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** Sorted by name. */
  readonly fields: readonly FieldFault[];
  /** Of kind `credential source failed`. */
  readonly source: FailedSource | undefined;

  constructor(kind: RefusalKind, message: string, fields: readonly FieldFault[] = [], source?: FailedSource) {
    super(message);
    this.kind = kind;
    this.source = source;
    this.fields = fields.toSorted((one, other) =>
      one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
    );
  }
}

/** Collects what is wrong with a request, so that all of it is told at once. */
export class FieldFaults {
  readonly #faults = new Map<string, string>();

  /** Notes a fault; the first one of a field stays. */
  add(name: string, description: string): void {
    if (!this.#faults.has(name)) this.#faults.set(name, description);
  }

  /** @throws Refusal `invalid argument` when there is any fault */
  refuseAny(message = 'Error in provided request.'): void {
    if (this.#faults.size === 0) return;
    throw new Refusal(
      'invalid argument',
      message,
      [...this.#faults].map(([name, description]) => ({ name, description })),
    );
  }
}

/** A request about something that is not there. */
export function notFound(): Refusal {
  return new Refusal('not found', 'Resource not found.');
}

/** A request with one wrong field. */
export function invalidField(
  name: string,
  description: string,
  message = 'Error in provided request.',
): Refusal {
  return new Refusal('invalid argument', message, [{ name, description }]);
}

/** A change that sets nothing. */
export function emptyMask(): Refusal {
  const problem = 'No valid fields included in the update mask.';
  return invalidField('update_mask', problem, problem);
}
