import type { Credentials } from '@gatehouse/api-types/console/session';
import { ProblemError } from '../http/problem.ts';
import type { SignInService } from '../upstreams/directory.ts';
import type { GrantedToken } from './connections.ts';
import type { SignInLimits } from './sign-in-limits.ts';

/**
 * Signs in to a service, slowed down where it was tried too often.
 * @throws ProblemError `rate-limited`, `sign-in-failed`; ServiceError when the service does not answer
 */
export async function signInLimited(
  limits: SignInLimits,
  service: SignInService,
  credentials: Credentials,
  address: string,
): Promise<GrantedToken> {
  const account = accountOf(service, credentials);
  await limits.reserve(account, address);
  try {
    const granted = await service.signIn(credentials);
    await limits.succeed(account, address);
    return granted;
  } catch (error) {
    const judged = error instanceof ProblemError && error.code === 'sign-in-failed';
    if (!judged) await limits.undo(account, address);
    throw error;
  }
}

/** The account that attempts are counted for. */
export function accountOf(
  { environment, service }: Pick<SignInService, 'environment' | 'service'>,
  credentials: Credentials,
): string {
  const name = credentials.method === 'password' ? credentials.login_name : '';
  return JSON.stringify([environment, service, credentials.method, name]);
}
