/**
 * Activates a cluster as another environment's secondary: the console passes the token from one server to the other,
 * and nowhere else.
 */
import type { ReplicationFilterFields } from '@gatehouse/api-types/console/replication-secondaries';
import type { AuditNote, PartialChange } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { demandPassword } from '#operation/confirmation.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import {
  change,
  createPublicKey,
  createToken,
  type ReplicationChange,
} from '#upstreams/secrets-server/replication-changes.ts';
import { identifierTaken } from '#upstreams/secrets-server/replication-refusals.ts';
import {
  deleteFilter,
  readFilter,
  readStatus,
  writeFilter,
  type WireFilter,
} from '#upstreams/secrets-server/replication.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { callAt, secretsCaller } from './caller.ts';
import { invalidField } from './invalid-field.ts';
import { applyFilter } from './replication-filter.ts';

/** The parameters of an activation. */
export interface Activation {
  /** The primary's environment. */
  readonly primary: string;
  readonly id: string;
  readonly ttl?: string | undefined;
  readonly primary_api_addr?: string | undefined;
  readonly ca_file?: string | undefined;
  readonly ca_path?: string | undefined;
  readonly filter?: ReplicationFilterFields | undefined;
}

/** Also requires the password if the primary's environment does, because its data is sent elsewhere. */
export async function demandForPrimary(context: Context, call: ServiceCall, primary: string): Promise<void> {
  await demandPassword(context, { ...callAt(call, primary), service: 'secrets' }, 'cluster');
}

/**
 * Calls the other environment's primary with the user's token.
 * @throws ProblemError `invalid-request` if the environment doesn't exist
 */
export async function leaderOf(
  context: Context,
  call: ServiceCall,
  { primary }: Pick<Activation, 'primary'>,
): Promise<SecretsCaller> {
  const { environment } = call.params;
  if (!context.config.environments.some((one) => one.id === primary && one.services.secrets !== undefined)) {
    throw problem(environment, 'primary', 'No environment with this name has a secrets server.');
  }
  if (primary === environment) {
    throw problem(environment, 'primary', "A cluster can't be its own secondary. Choose another one.");
  }
  return secretsCaller(context, callAt(call, primary), true);
}

/** @throws ProblemError `invalid-request` if the cluster can't have a secondary with this identifier */
async function checkLeader(leader: SecretsCaller, secondary: SecretsCaller, id: string): Promise<void> {
  const status = await readStatus(leader);
  if (status?.mode !== 'primary') {
    const { environment } = secondary.transport;
    throw problem(environment, 'primary', "This environment's cluster is not a primary.");
  }
  const known = [...status.known_secondaries, ...status.secondaries.map(({ node_id }) => node_id)];
  if (known.includes(id)) throw invalidField(leader, 'id', identifierTaken);
}

function problem(environment: string, path: string, message: string): ProblemError {
  return new ProblemError('invalid-request', message, {
    service: 'secrets',
    environment,
    fields: [{ path, message }],
  });
}

/**
 * Activates a secondary: its primary creates a token (encrypted to the secondary's public key if it has one), and the
 * secondary uses it. If the secondary refuses, the preparations at the primary are undone, or else expire. The
 * primary's environment records the change too.
 * @param operation uses the token at the secondary
 * @returns the secondary server's warnings
 * @throws ProblemError `invalid-request` if the primary can't have a secondary with this identifier; ServiceError
 */
export async function activate(
  leader: SecretsCaller,
  secondary: SecretsCaller,
  activation: Activation,
  operation: Extract<ReplicationChange, 'secondary/enable' | 'secondary/update-primary'>,
  note: Pick<AuditNote, 'did'>,
): Promise<readonly string[]> {
  const { id, ttl, filter, primary_api_addr = '', ca_file = '', ca_path = '' } = activation;
  await checkLeader(leader, secondary, id);
  const publicKey = (await createPublicKey(secondary)) ?? undefined;
  const before = filter === undefined ? undefined : await filterBefore(leader, id, filter);
  const { environment } = secondary.transport;
  const did = (action: PartialChange['action'], paths: readonly string[]): Promise<void> =>
    note.did({
      action,
      environment: leader.transport.environment,
      id,
      paths,
    });
  let mayBeCreated = false;
  try {
    if (filter !== undefined && before !== undefined) {
      await applyFilter(leader, id, filter);
      await did('replication-secondary.save-filter', ['mode', 'paths']);
    }
    const { token } = await createToken(leader, { id, ttl, publicKey }).catch((error: unknown) => {
      mayBeCreated = isUnknown(error);
      throw error;
    });
    mayBeCreated = true;
    await did('replication-secondary.create-token', [`environment=${environment}`]);
    return await change(secondary, operation, {
      token,
      ...(primary_api_addr !== '' && { primary_api_addr }),
      ...(ca_file !== '' && { ca_file }),
      ...(ca_path !== '' && { ca_path }),
    });
  } catch (error) {
    // If the secondary may have activated, the primary must still know it.
    if (isUnknown(error) && error.init.environment === environment) throw error;
    // If the identifier was refused, it belongs to someone else's secondary, which isn't revoked.
    const [revoked] = await Promise.allSettled([
      mayBeCreated && change(leader, 'primary/revoke-secondary', { id }),
      before === null ? deleteFilter(leader, id) : before && writeFilter(leader, id, before),
    ]);
    if (mayBeCreated && revoked.status === 'fulfilled') await did('replication-secondary.revoke', []);
    throw error;
  }
}

/** The primary's filter for an identifier; null if it has none, undefined if it needs no change. */
async function filterBefore(
  leader: SecretsCaller,
  id: string,
  { mode }: ReplicationFilterFields,
): Promise<WireFilter | null | undefined> {
  const kept = await readFilter(leader, id);
  return kept === null && mode === 'all' ? undefined : kept;
}

/** Whether the outcome is unknown. */
function isUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.delivery === 'unknown';
}

const notSo = {
  disabled: 'Replication is already enabled on this cluster. Disable it first, or change its primary.',
  secondary: 'This cluster is not a secondary, so it has no primary to change. Refresh the page.',
} as const;

/** @throws ProblemError `invalid-request` if the cluster has another mode */
export async function checkMode(caller: SecretsCaller, mode: keyof typeof notSo): Promise<void> {
  const status = await readStatus(caller);
  if (status?.mode === mode) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'invalid-request',
    status === null ? "This server doesn't support replication." : notSo[mode],
    {
      environment,
      service,
    },
  );
}
