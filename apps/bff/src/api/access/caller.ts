import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type AccessCaller } from '#upstreams/access-controller/client.ts';
import { askedBy } from '#upstreams/transport.ts';

/** What the audit trail says of every record of an access controller. */
export const inAccess: ResourceAudit = {
  service: 'access',
  address: ({ params: { id = '' } }) => ({ id }),
};

/**
 * The environment's access controller in the name of the person.
 * @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there
 */
export async function accessCaller(context: Context, call: ServiceCall): Promise<AccessCaller> {
  const { environment } = call.params;
  const kept = await serviceToken(context, call, 'access');
  return callAs(askedBy(call.caller, context.directory.access(environment), call.session.personId), {
    token: kept.token,
    guard: call.guard,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'access', kept.tokenId),
  });
}
