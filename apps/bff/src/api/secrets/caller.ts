import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { idOf } from '#upstreams/secrets-server/place.ts';
import { lifeSignOf } from '#upstreams/secrets-server/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

/** What the audit trail says of everything at a secrets server: a secret is called by its engine's mount and its path. */
export const inSecrets: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { mount = '', path = '' } }) => ({ id: idOf({ mount, path }) }),
};

/**
 * The environment's secrets server in the name of the person.
 * @param goesOn whether what is begun is brought to an end when the person goes away
 * @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there
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
  return callAs(askedBy(caller, context.directory.secrets(environment), session.personId), {
    token: kept.token,
    lifeSign: lifeSignOf(kept.tokenId),
    guard: call.guard,
    ...(!goesOn && { signal: caller.signal }),
    onRefused: () => context.connections.refuse(session.id, environment, 'secrets', kept.tokenId),
  });
}
