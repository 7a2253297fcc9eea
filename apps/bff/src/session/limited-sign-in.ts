import type { Credentials } from '@gatehouse/api-types/console/session';
import type { Asker } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { SignInService } from '#upstreams/directory.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';
import type { SignInPlace } from './people.ts';
import type { Revocations } from './revocations.ts';
import type { AttemptBy, SignInLimits } from './sign-in-limits.ts';

/**
 * Signs in to a service, and delays attempts after too many failures.
 * @param use keeps the token. If that fails, or the attempt can't be counted, the token is revoked.
 * @throws ProblemError `rate-limited`, `sign-in-failed`, `no-access`, `two-factor-required`, `two-factor-unsupported`;
 *   ServiceError if the service doesn't answer
 */
export function signInLimited<Result>(
  { limits, revocations }: { readonly limits: SignInLimits; readonly revocations: Revocations },
  service: SignInService,
  credentials: Credentials,
  asker: Asker,
  use: (granted: GrantedToken) => Promise<Result>,
  by: AttemptBy = asker.address,
): Promise<Result> {
  return signInAndUse(revocations, service, credentials, asker, use, (attempt, discard) =>
    limited(limits, service, credentials, by, attempt, discard),
  );
}

/**
 * Signs in to a service with credentials that another service just accepted, so that attempts aren't counted.
 * @param use keeps the token. If that fails, the token is revoked, if it was made by this: a user's own token stays.
 */
export async function signInAndUse<Result>(
  revocations: Revocations,
  service: SignInService,
  credentials: Credentials,
  asker: Asker,
  use: (granted: GrantedToken) => Promise<Result>,
  counted: (
    attempt: () => Promise<GrantedToken>,
    discard: (granted: GrantedToken) => Promise<void>,
  ) => Promise<GrantedToken> = (attempt) => attempt(),
): Promise<Result> {
  const discard = async (granted: GrantedToken): Promise<void> => {
    if (credentials.method !== 'password') return;
    await revocations
      .revokeUnused(service, granted)
      // Without the database, the token can only be revoked now.
      .catch(() => service.revoke(granted.tokenId, granted.token))
      // The error that led here says more.
      .catch(() => undefined);
  };
  const granted = await counted(() => service.signIn(credentials, asker), discard);
  return use(granted).catch(async (error: unknown) => {
    await discard(granted);
    throw error;
  });
}

/**
 * Tries credentials other than by signing in, and delays attempts after too many failures.
 * @param discard undoes an attempt that succeeded but can't be counted
 */
export async function limited<Result>(
  limits: SignInLimits,
  place: SignInPlace,
  credentials: Credentials,
  by: AttemptBy,
  attempt: () => Promise<Result>,
  discard?: (result: Result) => Promise<unknown>,
): Promise<Result> {
  const account = limits.accountOf(place, credentials, by);
  const reserved = await limits.reserve(account, by, limits.codeOf(place, credentials));
  const result = await attempt().catch(async (error: unknown) => {
    if (!isJudged(error)) await reserved.undo();
    throw error;
  });
  await reserved.succeed().catch(async (error: unknown) => {
    await Promise.try(() => discard?.(result)).catch(() => undefined);
    throw error;
  });
  return result;
}

/** Whether the service refused the credentials. A second factor's code can be guessed too. */
function isJudged(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return (
    error.code === 'sign-in-failed' ||
    (error.code === 'two-factor-required' && error.init.twoFactor?.refused === true)
  );
}
