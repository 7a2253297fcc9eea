/** Changes to a server's replication. */
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

/** How long a change may take, in milliseconds: the server may revoke leases and contact primaries. */
const changeDeadline = 60_000;

/** The operations' paths below the replication path. */
export type ReplicationChange =
  | 'primary/enable'
  | 'primary/demote'
  | 'primary/disable'
  | 'primary/revoke-secondary'
  | 'secondary/enable'
  | 'secondary/promote'
  | 'secondary/disable'
  | 'secondary/update-primary';

/** Makes a change. @returns the server's warnings @throws ServiceError */
export async function change(
  caller: SecretsCaller,
  operation: ReplicationChange,
  body: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const path = replicationPath(caller, operation.split('/'));
  const answer = await ask(caller, { method: 'POST', path, body, deadlineMs: changeDeadline }, changeRules);
  return answer.body === undefined ? [] : (await caller.transport.parse(replicationChange, answer)).warnings;
}

/** A primary's activation token for one secondary, which can be used once. */
export interface ActivationToken {
  readonly token: string;
  readonly encrypted: boolean;
  /** Milliseconds since the epoch; null if the server doesn't report it. */
  readonly expires: number | null;
}

/** Creates an activation token on a primary. @param publicKey the secondary's, in base64 @throws ServiceError */
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
  const { wrap_info: wrapped, data } = await caller.transport.parse(secondaryToken, answer);
  if (wrapped !== undefined && wrapped !== null) {
    const { token, ttl: seconds, creation_time: created } = wrapped;
    const expires = seconds === null || created === null ? null : Date.parse(created) + seconds * 1000;
    return { token, encrypted: false, expires };
  }
  return { token: data?.token ?? '', encrypted: true, expires: null };
}

/** Creates a public key to which an activation can be encrypted; null if the server has none. */
export async function createPublicKey(caller: SecretsCaller): Promise<string | null> {
  const path = replicationPath(caller, ['secondary', 'generate-public-key']);
  // A primary answers 400.
  const answer = await whereThere(askFor(caller, { method: 'POST', path, body: {} }), 400);
  return answer === null
    ? null
    : (await caller.transport.parse(secondaryPublicKey, answer)).data.secondary_public_key;
}

/** Writes a canary, an entry without records. @returns its number; null if the server doesn't report it */
export async function writeCanary(caller: SecretsCaller): Promise<number | null> {
  const path = replicationPath(caller, ['canary']);
  const answer = await ask(caller, { method: 'POST', path, body: {} }, canaryRules);
  return answer.body === undefined
    ? null
    : ((await caller.transport.parse(canary, answer)).data?.seq ?? null);
}

/** Deletes lost writes up to and including this ID. @returns how many; null if the server doesn't report it */
export async function deleteLost(caller: SecretsCaller, upTo: number): Promise<number | null> {
  const path = replicationPath(caller, ['lost'], { up_to: String(upTo) });
  const answer = await ask(caller, { method: 'DELETE', path }, lostRules);
  return answer.body === undefined
    ? null
    : ((await caller.transport.parse(lostWritesDeleted, answer)).data?.deleted ?? null);
}
