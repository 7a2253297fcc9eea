import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { SignInService } from '#upstreams/directory.ts';

/** Credentials with the service that they are for. */
interface Attempt {
  readonly environment: string;
  readonly service: ServiceName;
  readonly credentials: Credentials;
}

/**
 * Refuses a sign-in attempt that comes too early or is for an unknown service or method, before it is recorded. The
 * latter counts against the caller's address.
 * @throws ProblemError `rate-limited`, `not-found`, `invalid-request`
 */
export async function checkAttempt(
  { limits, directory }: Context,
  attempt: Attempt,
  address: string,
): Promise<void> {
  const { environment, service, credentials } = attempt;
  await limits.check(limits.accountOf(attempt, credentials, address), address);
  try {
    checkMethod(directory.service(environment, service), credentials);
  } catch (error) {
    await limits.misdirected(address);
    throw error;
  }
}

/** @throws ProblemError `invalid-request` if the configuration doesn't offer this sign-in method */
function checkMethod({ config, service, environment }: SignInService, { method }: Credentials): void {
  if (config.signIn.includes(method)) return;
  throw new ProblemError('invalid-request', `You can't sign in to this service with a ${method}.`, {
    service,
    environment,
  });
}
