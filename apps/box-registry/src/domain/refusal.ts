/** Why a request was refused. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not found'
  | 'method not allowed'
  | 'two-factor needed'
  | 'unprocessable'
  | 'too many attempts';

/** A request that the rules do not allow. Nothing was changed. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly kind: RefusalKind;
  /** What is wrong, in sentences for the caller; one at least. */
  readonly errors: readonly string[];

  constructor(kind: RefusalKind, ...errors: readonly [string, ...string[]]) {
    super(errors.join('; '));
    this.kind = kind;
    this.errors = errors;
  }
}

/** How a code reaches a person: made by an app, or sent to a phone. */
export type DeliveryMethod = 'app' | 'sms';

/** A sign-in that needs a code of the person's second factor. */
export class TwoFactorNeeded extends Refusal {
  readonly deliveryMethods: readonly DeliveryMethod[];

  constructor(error: string, deliveryMethods: readonly DeliveryMethod[]) {
    super('two-factor needed', error);
    this.deliveryMethods = deliveryMethods;
  }
}

/** Something that is not there, or that the caller may not know of. */
export function notFound(): Refusal {
  return new Refusal('not found', 'Resource not found!');
}

/** A request whose fields break a rule. */
export function unprocessable(...errors: readonly [string, ...string[]]): Refusal {
  return new Refusal('unprocessable', ...errors);
}

/** Something that the caller's role does not allow. */
export function forbidden(what: string): Refusal {
  return new Refusal('forbidden', what);
}

/** Collects what is wrong with a request, so that all of it is told at once. */
export class Faults {
  readonly #errors: string[] = [];

  add(error: string): void {
    this.#errors.push(error);
  }

  /** @throws Refusal `unprocessable` when there is any fault */
  refuseAny(): void {
    const [first, ...others] = this.#errors;
    if (first !== undefined) throw unprocessable(first, ...others);
  }
}
