/** The double refuses a call in the provider's form. */
export class CloudFault extends Error {
  override readonly name = 'CloudFault';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A 404: the user, group, policy or key doesn't exist. */
export function noSuchEntity(message: string): CloudFault {
  return new CloudFault(404, 'NoSuchEntity', message);
}
