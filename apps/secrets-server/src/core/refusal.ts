/** A refused request; all messages are sent to the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The HTTP status of the answer, 400–599. */
  readonly status: number;
  /** The `errors` of the answer; may be empty. */
  readonly errors: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, errors: readonly string[], headers: Readonly<Record<string, string>> = {}) {
    super(errors.join('; '));
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

/** 400 with one message. */
export function badRequest(message: string): Refusal {
  return new Refusal(400, [message]);
}

/** 403, the same for a missing or invalid token and a missing capability. */
export function permissionDenied(): Refusal {
  return new Refusal(403, ['permission denied']);
}

/** 404 without a message: the path has no value. */
export function notFound(): Refusal {
  return new Refusal(404, []);
}

/** 405: the path exists but does not support the operation. */
export function unsupportedOperation(): Refusal {
  return new Refusal(405, ['unsupported operation']);
}

/** 503: the keys are not in memory. */
export function sealedRefusal(): Refusal {
  return new Refusal(503, ['Vault is sealed']);
}

/**
 * For something new whose number has a limit.
 * @param found how many there are
 * @param what and where, such as `roles of one engine`
 * @throws Refusal 400 if there are `most` or more
 */
export function refuseMore(found: number, most: number, what: string): void {
  if (found >= most)
    throw badRequest(`there can be at most ${most} ${what}: delete one that is no longer needed first`);
}

/** The maximum length of a text that a refusal quotes, in characters. */
const longestQuote = 2000;

/** A request's text in quotes, for a refusal's message; a long one is cut. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text);
}
