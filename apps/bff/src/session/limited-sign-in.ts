import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import type { Asker } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { SignInService } from '#upstreams/directory.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';
import type { AttemptBy, SignInLimits } from './sign-in-limits.ts';

/** Where credentials are tried. */
interface SignInPlace {
  readonly environment: string;
  readonly service: ServiceName;
}

/**
 * Signs in to a service, and delays attempts after too many failures.
 * @throws ProblemError `rate-limited`, `sign-in-failed`, `no-access`, `two-factor-required`, `two-factor-unsupported`;
 *   ServiceError if the service doesn't answer
 */
export function signInLimited(
  limits: SignInLimits,
  service: SignInService,
  credentials: Credentials,
  asker: Asker,
  by: AttemptBy = asker.address,
): Promise<GrantedToken> {
  return limited(limits, service, credentials, by, () => service.signIn(credentials, asker));
}

/** Tries credentials other than by signing in, and delays attempts after too many failures. */
export async function limited<Result>(
  limits: SignInLimits,
  place: SignInPlace,
  credentials: Credentials,
  by: AttemptBy,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const reserved = await limits.reserve(limits.accountOf(place, credentials), by);
  try {
    const result = await attempt();
    await reserved.succeed();
    return result;
  } catch (error) {
    if (!isJudged(error)) await reserved.undo();
    throw error;
  }
}

/** Whether the service refused the credentials. A second factor's code can be guessed too. */
function isJudged(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return (
    error.code === 'sign-in-failed' ||
    (error.code === 'two-factor-required' && error.init.twoFactor?.refused === true)
  );
}
