import type { Context } from '../../context.ts';
import type { Caller } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import type { ActiveSession } from '../../session/session.ts';
import { callAs, type AccessCaller } from '../../upstreams/access-controller/client.ts';

/**
 * The environment's access controller in the name of the person.
 * @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there
 */
export async function accessCaller(
  context: Context,
  call: {
    readonly params: { readonly environment: string };
    readonly session: ActiveSession;
    readonly caller: Caller;
  },
): Promise<AccessCaller> {
  const { environment } = call.params;
  const controller = context.directory.access(environment);
  const kept = await context.connections.token(call.session.id, environment, 'access');
  if (typeof kept === 'string') {
    throw new ProblemError(
      'not-connected',
      kept === 'none'
        ? 'You are not signed in to the access controller of this environment.'
        : 'The access controller does not accept the token any more: sign in to it again.',
      { service: 'access', environment },
    );
  }
  return callAs(controller, {
    token: kept.token,
    requestId: call.caller.requestId,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'access', kept.tokenId),
  });
}
