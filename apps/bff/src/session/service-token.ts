import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Caller, Guard } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { noRole, nouns } from '#ground/service-nouns.ts';
import type { Directory } from '#upstreams/directory.ts';
import type { Connections, KeptToken } from './connections.ts';
import type { ActiveSession } from './session.ts';

/** The part of a call that a service's call needs. */
export interface ServiceCall {
  readonly params: { readonly environment: string };
  readonly session: ActiveSession;
  readonly caller: Caller;
  /** Absent if nothing is written in the call's name. */
  readonly guard?: Guard;
}

/**
 * The user's token at a service of the environment.
 * @throws ProblemError `not-found` if the environment has no such service, `not-connected` or `no-access` if the user
 *   has no token there
 */
export async function serviceToken(
  context: { readonly connections: Connections; readonly directory: Directory },
  { params, session, guard }: Pick<ServiceCall, 'params' | 'session' | 'guard'>,
  service: ServiceName,
): Promise<KeptToken> {
  const { environment } = params;
  context.directory.service(environment, service);
  const kept = await context.connections.token(session.id, environment, service);
  if (typeof kept !== 'string') {
    guard?.actsAs({ environment, service }, kept.accountId);
    return kept;
  }
  const noun = nouns[service];
  if (kept === 'no-access') throw noRole({ service, environment });
  const detail = {
    none: `You aren't signed in to the ${noun} of this environment.`,
    refused: `The ${noun} no longer accepts the token. Sign in to it again.`,
    unreadable: `Your token can no longer be used: the ${noun}'s address or the console's encryption key has changed. Sign in to the ${noun} again.`,
  }[kept];
  throw new ProblemError('not-connected', detail, { service, environment });
}
