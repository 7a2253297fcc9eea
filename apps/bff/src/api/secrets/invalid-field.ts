import { ProblemError } from '#ground/problem.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';

/** An `invalid-request` problem with one field. */
export function invalidField(
  { transport: { environment, service } }: SecretsCaller,
  path: string,
  message: string,
): ProblemError {
  return new ProblemError('invalid-request', message, { environment, service, fields: [{ path, message }] });
}
