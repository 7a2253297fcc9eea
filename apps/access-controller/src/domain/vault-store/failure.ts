/** Why a request to a secrets server failed. */
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

/** A failed request to a secrets server. Contains nothing of the server's answer. */
export class SecretsServerFailure extends Error {
  override readonly name = 'SecretsServerFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(`secrets server: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

/** Why a library returned no credential. */
export type SourceFailureReason = FailureReason | 'token-expired' | 'token-revoked' | 'not-mappable';

/** A sentence about the failure that begins with `The secrets server`. */
export function failureText(reason: FailureReason, address: string): string {
  switch (reason) {
    case 'unreachable':
      return `The secrets server at ${address} can't be reached.`;
    case 'timeout':
      return `The secrets server at ${address} didn't respond in time.`;
    case 'untrusted':
      return `The secrets server at ${address} has a certificate that isn't trusted. Set its CA certificate or its TLS server name.`;
    case 'sealed':
      return `The secrets server at ${address} is sealed. Unseal it.`;
    case 'forbidden':
      return `The secrets server at ${address} doesn't accept the token, or its policies don't allow this.`;
    case 'not-found':
      return `The secrets server at ${address} has nothing at this path.`;
    case 'refused':
      return `The secrets server at ${address} refused the request as invalid.`;
    case 'rate-limited':
      return `The secrets server at ${address} receives too many requests. Wait before you try again.`;
    case 'bad-answer':
      return `${address} doesn't answer like a secrets server: the response is a redirect, in another format, or too large.`;
  }
}
