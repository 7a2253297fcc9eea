import type { Context } from '#operation/context.ts';
import type { Caller } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import type { ActiveSession } from '#session/session.ts';
import { callAs, type AccessCaller } from '#upstreams/access-controller/client.ts';

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
  const kept = await serviceToken(context, call, 'access');
  return callAs(controller, {
    token: kept.token,
    requestId: call.caller.requestId,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'access', kept.tokenId),
  });
}
