import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { idOf } from '#upstreams/secrets-server/place.ts';
import { lifeSignOf } from '#upstreams/secrets-server/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

/** How the audit trail identifies secrets: by the engine's mount and the path. */
export const inSecrets: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { mount = '', path = '' } }) => ({ id: idOf({ mount, path }) }),
};

/** Moves a call to another environment. */
export function callAt(call: ServiceCall, environment: string): ServiceCall {
  return { ...call, params: { environment } };
}

/**
 * Calls the environment's secrets server with the user's token.
 * @param goesOn whether requests continue when the user leaves
 * @throws ProblemError `not-found` if the environment has none, `not-connected` if the user has no token there
 */
export async function secretsCaller(
  context: Context,
  call: ServiceCall,
  goesOn = false,
): Promise<SecretsCaller> {
  const { environment } = call.params;
  const { session, caller } = call;
  const kept = await serviceToken(context, call, 'secrets');
  context.renewals.keepAlive(session.id, environment, 'secrets', kept);
  return callAs(askedBy(caller, context.directory.secrets(environment), session.account), {
    token: kept.token,
    lifeSign: lifeSignOf(kept.tokenId),
    guard: call.guard,
    ...(!goesOn && { signal: caller.signal }),
    onRefused: () => context.connections.refuse(session.id, environment, 'secrets', kept.tokenId),
  });
}
