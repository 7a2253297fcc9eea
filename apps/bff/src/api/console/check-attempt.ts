import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { SignInService } from '#upstreams/directory.ts';

/** Credentials, and where they are tried. */
interface Attempt {
  readonly environment: string;
  readonly service: ServiceName;
  readonly credentials: Credentials;
}

/**
 * Refuses an attempt to sign in that comes too early, or that leads nowhere, before anything of it is recorded. One that
 * leads nowhere counts against its address.
 * @throws ProblemError `rate-limited`, `not-found`, `invalid-request`
 */
export async function checkAttempt(
  { limits, directory }: Context,
  attempt: Attempt,
  address: string,
): Promise<void> {
  const { environment, service, credentials } = attempt;
  await limits.check(limits.accountOf(attempt, credentials), address);
  try {
    checkMethod(directory.service(environment, service), credentials);
  } catch (error) {
    await limits.misdirected(address);
    throw error;
  }
}

/** @throws ProblemError `invalid-request` when the configuration does not offer the way to sign in */
function checkMethod({ config, service, environment }: SignInService, { method }: Credentials): void {
  if (config.signIn.includes(method)) return;
  throw new ProblemError('invalid-request', `You can't sign in to this service with a ${method}.`, {
    service,
    environment,
  });
}
