import type { Context } from '../../context.ts';
import type { Caller } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import type { ActiveSession } from '../../session/session.ts';
import { callAs, type SecretsCaller } from '../../upstreams/secrets-server/client.ts';
import { mayLookUp } from '../../upstreams/secrets-server/sign-in.ts';

/** What every call about secrets has. */
export interface SecretsCall {
  readonly params: { readonly environment: string };
  readonly session: ActiveSession;
  readonly caller: Caller;
}

/**
 * The environment's secrets server in the name of the person.
 * @param goesOn whether what is begun is brought to an end when the person goes away
 * @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there
 */
export async function secretsCaller(
  context: Context,
  call: SecretsCall,
  goesOn = false,
): Promise<SecretsCaller> {
  const { environment } = call.params;
  const { session, caller } = call;
  const server = context.directory.secrets(environment);
  const kept = await context.connections.token(session.id, environment, 'secrets');
  if (typeof kept === 'string') {
    throw new ProblemError(
      'not-connected',
      kept === 'none'
        ? 'You are not signed in to the secrets server of this environment.'
        : 'The secrets server does not accept the token any more: sign in to it again.',
      { service: 'secrets', environment },
    );
  }
  context.renewals.keepAlive(session.id, environment, 'secrets', kept);
  return callAs(server, {
    token: kept.token,
    mayLookUp: mayLookUp(kept.tokenId),
    requestId: caller.requestId,
    ...(!goesOn && { signal: caller.signal }),
    onRefused: () => context.connections.refuse(session.id, environment, 'secrets', kept.tokenId),
  });
}
