/** Changes of what a server is in replication. */
import {
  canary,
  lostWritesDeleted,
  replicationChange,
  secondaryPublicKey,
  secondaryToken,
} from '@gatehouse/api-types/services/secrets-replication';
import type { SecretsCaller } from './client.ts';
import { ask, askFor } from './refusals.ts';
import { canaryRules, changeRules, lostRules, tokenRules } from './replication-refusals.ts';
import { replicationPath, whereThere } from './replication.ts';

/** How long a change may take, in milliseconds: leases are revoked and primaries are asked in it. */
const changeDeadline = 60_000;

/** What an operation of replication is called below its path. */
export type ReplicationChange =
  | 'primary/enable'
  | 'primary/demote'
  | 'primary/disable'
  | 'primary/revoke-secondary'
  | 'secondary/enable'
  | 'secondary/promote'
  | 'secondary/disable'
  | 'secondary/update-primary';

/** Asks for a change. @returns what the server says about it @throws ServiceError */
export async function change(
  caller: SecretsCaller,
  operation: ReplicationChange,
  body: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const path = replicationPath(caller, operation.split('/'));
  const answer = await ask(caller, { method: 'POST', path, body, deadlineMs: changeDeadline }, changeRules);
  return answer.body === undefined ? [] : caller.transport.parse(replicationChange, answer).warnings;
}

/** An activation token of a primary, for one secondary and one use. */
export interface ActivationToken {
  readonly token: string;
  readonly encrypted: boolean;
  /** Milliseconds since the epoch; null where the server doesn't tell. */
  readonly expires: number | null;
}

/** Lets a primary create an activation. @param publicKey of the secondary, in base64 @throws ServiceError */
export async function createToken(
  caller: SecretsCaller,
  {
    id,
    ttl,
    publicKey,
  }: { readonly id: string; readonly ttl: string | undefined; readonly publicKey?: string | undefined },
): Promise<ActivationToken> {
  const path = replicationPath(caller, ['primary', 'secondary-token']);
  const body = {
    id,
    ...(ttl !== undefined && { ttl }),
    ...(publicKey !== undefined && { secondary_public_key: publicKey }),
  };
  const answer = await ask(caller, { method: 'POST', path, body }, tokenRules);
  const { wrap_info: wrapped, data } = caller.transport.parse(secondaryToken, answer);
  if (wrapped !== undefined && wrapped !== null) {
    const { token, ttl: seconds, creation_time: created } = wrapped;
    const expires = seconds === null || created === null ? null : Date.parse(created) + seconds * 1000;
    return { token, encrypted: false, expires };
  }
  return { token: data?.token ?? '', encrypted: true, expires: null };
}

/** The public key to which an activation may be encrypted; null where the server has none. */
export async function createPublicKey(caller: SecretsCaller): Promise<string | null> {
  const path = replicationPath(caller, ['secondary', 'generate-public-key']);
  // A primary has none, and says so.
  const answer = await whereThere(askFor(caller, { method: 'POST', path, body: {} }), 400);
  return answer === null
    ? null
    : caller.transport.parse(secondaryPublicKey, answer).data.secondary_public_key;
}

/** Writes an entry without records. @returns its number; null where the server doesn't tell */
export async function writeCanary(caller: SecretsCaller): Promise<number | null> {
  const path = replicationPath(caller, ['canary']);
  const answer = await ask(caller, { method: 'POST', path, body: {} }, canaryRules);
  return answer.body === undefined ? null : (caller.transport.parse(canary, answer).data?.seq ?? null);
}

/** Deletes lost writes: the one with this ID, and those that were found before it. @returns how many; null where the server doesn't tell */
export async function deleteLost(caller: SecretsCaller, upTo: number): Promise<number | null> {
  const path = replicationPath(caller, ['lost'], { up_to: String(upTo) });
  const answer = await ask(caller, { method: 'DELETE', path }, lostRules);
  return answer.body === undefined
    ? null
    : (caller.transport.parse(lostWritesDeleted, answer).data?.deleted ?? null);
}
