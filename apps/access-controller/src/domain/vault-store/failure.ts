/** Why a secrets server did not do what it was asked. */
export type FailureReason =
  | 'unreachable'
  | 'timeout'
  | 'untrusted'
  | 'sealed'
  | 'forbidden'
  | 'not-found'
  | 'refused'
  | 'rate-limited'
  | 'bad-answer';

/** A secrets server did not do what it was asked. Holds nothing of what it answered. */
export class SecretsServerFailure extends Error {
  override readonly name = 'SecretsServerFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(`secrets server: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Why a library gave no credential. */
export type SourceFailureReason = FailureReason | 'token-expired' | 'token-revoked' | 'not-mappable';

/** What happened, as a sentence that begins with `The secrets server`. */
export function failureText(reason: FailureReason, address: string): string {
  switch (reason) {
    case 'unreachable':
      return `The secrets server at ${address} cannot be reached.`;
    case 'timeout':
      return `The secrets server at ${address} did not answer in time.`;
    case 'untrusted':
      return `The secrets server at ${address} shows a certificate that is not trusted. Set its CA certificate or its TLS server name.`;
    case 'sealed':
      return `The secrets server at ${address} is sealed. Unseal it.`;
    case 'forbidden':
      return `The secrets server at ${address} does not accept the token, or its policies do not allow this.`;
    case 'not-found':
      return `The secrets server at ${address} has nothing at this path.`;
    case 'refused':
      return `The secrets server at ${address} refused the request as not valid.`;
    case 'rate-limited':
      return `The secrets server at ${address} receives too many requests and asks you to wait.`;
    case 'bad-answer':
      return `What answers at ${address} does not answer as a secrets server does: a redirect, another form, or too much.`;
  }
}
