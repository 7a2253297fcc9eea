import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type AccessCaller } from '#upstreams/access-controller/client.ts';
import { askedBy } from '#upstreams/transport.ts';

/** How the audit trail identifies records of an access controller. */
export const inAccess: ResourceAudit = {
  service: 'access',
  address: ({ params: { id = '' } }) => ({ id }),
};

/**
 * Calls the environment's access controller with the user's token.
 * @throws ProblemError `not-found` if the environment has none, `not-connected` if the user has no token there
 */
export async function accessCaller(context: Context, call: ServiceCall): Promise<AccessCaller> {
  const { environment } = call.params;
  const kept = await serviceToken(context, call, 'access');
  return callAs(askedBy(call.caller, context.directory.access(environment), call.session.account), {
    token: kept.token,
    guard: call.guard,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'access', kept.tokenId),
  });
}
