import type { SourceFailureReason } from './vault-store/failure.ts';

/** A fault of one field of a request; `name` is its path (`attributes.default_port`). */
export interface FieldFault {
  readonly name: string;
  readonly description: string;
}

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

/** The library that returned no credential, its store, and the reason. */
export interface FailedSource {
  readonly libraryId: string;
  readonly storeId: string;
  readonly reason: SourceFailureReason;
}

/** A request that the rules don't allow. Nothing has changed. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  /** Sorted by name. */
  readonly fields: readonly FieldFault[];
  /** Only with kind `credential source failed`. */
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

/** Collects the faults of a request, to report all of them at once. */
export class FieldFaults {
  readonly #faults = new Map<string, string>();

  /** Adds a fault. A field keeps its first fault. */
  add(name: string, description: string): void {
    if (!this.#faults.has(name)) this.#faults.set(name, description);
  }

  /** @throws Refusal `invalid argument` if there are faults */
  refuseAny(message = 'Error in provided request.'): void {
    if (this.#faults.size === 0) return;
    throw new Refusal(
      'invalid argument',
      message,
      [...this.#faults].map(([name, description]) => ({ name, description })),
    );
  }
}

export function notFound(): Refusal {
  return new Refusal('not found', 'Resource not found.');
}

/** A refusal with one faulty field. */
export function invalidField(
  name: string,
  description: string,
  message = 'Error in provided request.',
): Refusal {
  return new Refusal('invalid argument', message, [{ name, description }]);
}

/** A refusal of a change that sets no field. */
export function emptyMask(): Refusal {
  const problem = 'No valid fields included in the update mask.';
  return invalidField('update_mask', problem, problem);
}
