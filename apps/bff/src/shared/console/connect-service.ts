import type { Credentials } from '@gatehouse/api-types/console/session';
import type { Caller } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import type { ActiveSession } from '#session/session.ts';
import type { SignInService } from '#upstreams/directory.ts';
import { checkMethod } from './check-method.ts';

/**
 * Signs in to one more service, or again to one whose token ended, and keeps the token.
 * @throws ProblemError `sign-in-failed`, also for an account that is not the session's own where that belongs to the service;
 * `invalid-request`, `rate-limited`, `two-factor-required`, `two-factor-unsupported`; ServiceError without an answer
 */
export async function connectService(
  context: Context,
  { session, caller }: { readonly session: ActiveSession; readonly caller: Caller },
  service: SignInService,
  credentials: Credentials,
): Promise<void> {
  const { environment, service: name } = service;
  checkMethod(service, credentials);
  const granted = await signInLimited(context.limits, service, credentials, caller.address);
  const signedInHere = environment === session.environment && name === session.service;
  if (signedInHere && `${environment}/${name}/${granted.accountId}` !== session.personId) {
    // A token that a person brought stays theirs; one that this sign-in made is of no use to anyone.
    if (credentials.method === 'password') {
      await context.revocations.queueToken({
        environment,
        service: name,
        tokenId: granted.tokenId,
        token: granted.token,
      });
      context.revocations.wake();
    }
    throw new ProblemError(
      'sign-in-failed',
      `This session belongs to ${session.loginName}. Sign out first to sign in as somebody else.`,
      { service: name, environment },
    );
  }
  await context.connections.keep(session.id, environment, name, granted);
}
