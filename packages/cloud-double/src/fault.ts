/** A call that the double refuses, as the provider does. */
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

/** 404: there is no such user, group, policy or key. */
export function noSuchEntity(message: string): CloudFault {
  return new CloudFault(404, 'NoSuchEntity', message);
}
