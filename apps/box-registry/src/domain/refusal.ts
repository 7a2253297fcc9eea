export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not found'
  | 'method not allowed'
  | 'two-factor needed'
  | 'unprocessable'
  | 'too many attempts'
  | 'busy';

/** A request that the rules don't allow. Nothing has changed. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly kind: RefusalKind;
  /** At least one sentence for the caller. */
  readonly errors: readonly string[];

  constructor(kind: RefusalKind, ...errors: readonly [string, ...string[]]) {
    super(errors.join('; '));
    this.kind = kind;
    this.errors = errors;
  }
}

/** How a user gets a code: from an app, or on a phone. */
export type DeliveryMethod = 'app' | 'sms';

/** A sign-in that requires a code of the user's second factor. */
export class TwoFactorNeeded extends Refusal {
  readonly deliveryMethods: readonly DeliveryMethod[];

  constructor(error: string, deliveryMethods: readonly DeliveryMethod[]) {
    super('two-factor needed', error);
    this.deliveryMethods = deliveryMethods;
  }
}

/** A record that doesn't exist, or that the caller may not know about. */
export function notFound(): Refusal {
  return new Refusal('not found', 'Resource not found!');
}

/** A refusal of a request whose fields break a rule. */
export function unprocessable(...errors: readonly [string, ...string[]]): Refusal {
  return new Refusal('unprocessable', ...errors);
}

/** A refusal of an action that the caller's role doesn't allow. */
export function forbidden(what: string): Refusal {
  return new Refusal('forbidden', what);
}

/** Collects the faults of a request, to report all of them at once. */
export class Faults {
  readonly #errors: string[] = [];

  add(error: string): void {
    this.#errors.push(error);
  }

  /** @throws Refusal `unprocessable` if there are faults */
  refuseAny(): void {
    const [first, ...others] = this.#errors;
    if (first !== undefined) throw unprocessable(first, ...others);
  }
}
