import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type BoxesCaller } from '#upstreams/box-registry/client.ts';
import { askedBy } from '#upstreams/transport.ts';

/** The service under which the audit trail records everything at a box registry. */
export const inBoxes: ResourceAudit = { service: 'boxes' };

/** Calls the environment's box registry with the user's token. @throws ProblemError as `serviceToken` */
export async function boxesCaller(context: Context, call: ServiceCall): Promise<BoxesCaller> {
  const kept = await serviceToken(context, call, 'boxes');
  const { environment } = call.params;
  return callAs(askedBy(call.caller, context.directory.boxes(environment), call.session.account), {
    token: kept.token,
    username: kept.accountId,
    guard: call.guard,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'boxes', kept.tokenId),
  });
}
