import { invalidField } from '../domain/refusal.ts';
import type { Connection, ConnectionSecrets } from '../domain/vault-store/connection.ts';
import { SecretsServerFailure, failureText } from '../domain/vault-store/failure.ts';
import { capabilityFault, tokenFault, tokenNeeds } from '../domain/vault-store/token.ts';
import { inTurnAtServer } from './client.ts';
import type { SecretsServer, SecretsServerLimits } from './client.ts';

/**
 * Checks and renews a token that a store begins to use. The token must be renewable, periodic and an orphan: it then
 * lives as long as the store, independently of its creator. It must also have the capabilities to keep itself alive.
 * @returns its time to live, in seconds
 * @throws Refusal `invalid argument` on `attributes.address` or `attributes.token`
 */
export async function takeToken(
  userId: string,
  connection: Connection,
  secrets: ConnectionSecrets,
  limits: SecretsServerLimits,
): Promise<number> {
  try {
    return await inTurnAtServer(userId, connection, secrets, limits, take);
  } catch (error) {
    if (!(error instanceof SecretsServerFailure)) throw error;
    const { reason } = error;
    if (reason === 'forbidden') {
      throw invalidField(
        'attributes.token',
        `The secrets server at ${connection.address} doesn't accept the token, or doesn't let it look itself up.`,
      );
    }
    const text = failureText(reason === 'not-found' ? 'bad-answer' : reason, connection.address);
    throw invalidField('attributes.address', text);
  }
}

async function take(server: SecretsServer): Promise<number> {
  const fault = tokenFault(await server.lookupSelf());
  if (fault !== undefined) throw invalidField('attributes.token', fault);
  const lacks = capabilityFault(await server.capabilitiesSelf(Object.keys(tokenNeeds)));
  if (lacks !== undefined) throw invalidField('attributes.token', lacks);
  return server.renewSelf();
}
