/**
 * How a cluster is activated as a secondary of another environment's: the token goes from the one server to the other by way
 * of the console, and no further.
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
import { deleteFilter, readFilter, readStatus, writeFilter } from '#upstreams/secrets-server/replication.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { secretsCaller } from './caller.ts';
import { invalidField } from './invalid-field.ts';
import { callAt } from './replication-change.ts';
import { wireFilterOf } from './replication-filter.ts';

/** What is asked of the two clusters. */
export interface Activation {
  /** The environment of the primary. */
  readonly primary: string;
  readonly id: string;
  readonly ttl?: string | undefined;
  readonly primary_api_addr?: string | undefined;
  readonly ca_file?: string | undefined;
  readonly ca_path?: string | undefined;
  readonly filter?: ReplicationFilterFields | undefined;
}

/** Asks for the password also where the primary's environment wants it: what it keeps goes to another place. */
export function demandForPrimary(context: Context, call: ServiceCall, primary: string): void {
  demandPassword(context, callAt(call, primary), 'cluster');
}

/**
 * The primary of another environment, in the name of the person.
 * @throws ProblemError `invalid-request` where it can't have a secondary of this identifier
 */
export async function leaderOf(
  context: Context,
  call: ServiceCall,
  { primary, id }: Activation,
): Promise<SecretsCaller> {
  const { environment } = call.params;
  if (!context.config.environments.some((one) => one.id === primary && one.services.secrets !== undefined)) {
    throw problem(environment, 'primary', 'There is no environment of this name with a secrets server.');
  }
  if (primary === environment) {
    throw problem(environment, 'primary', 'A cluster can’t be a secondary of its own: choose another one.');
  }
  const leader = await secretsCaller(context, callAt(call, primary), true);
  const status = await readStatus(leader);
  if (status?.mode !== 'primary') {
    throw problem(environment, 'primary', 'The cluster of this environment is not a primary.');
  }
  const known = [...status.known_secondaries, ...status.secondaries.map(({ node_id }) => node_id)];
  if (known.includes(id)) throw invalidField(leader, 'id', taken);
  return leader;
}

const taken = 'The primary has a secondary of this identifier: choose another one, or revoke that first.';

function problem(environment: string, path: string, message: string): ProblemError {
  return new ProblemError('invalid-request', message, {
    service: 'secrets',
    environment,
    fields: [{ path, message }],
  });
}

/**
 * Activates a secondary: its primary creates a token (encrypted to the secondary's public key where it has one), and the
 * secondary uses it. What was prepared at the primary is undone where the secondary refuses. The trail of the primary's
 * environment tells of it too.
 * @param operation of the secondary that uses the token
 * @returns what the secondary's server says
 */
export async function activate(
  leader: SecretsCaller,
  secondary: SecretsCaller,
  activation: Activation,
  operation: Extract<ReplicationChange, 'secondary/enable' | 'secondary/update-primary'>,
  note: Pick<AuditNote, 'did'>,
): Promise<readonly string[]> {
  const { id, ttl, filter, primary_api_addr = '', ca_file = '', ca_path = '' } = activation;
  const publicKey = (await createPublicKey(secondary)) ?? undefined;
  const before = filter === undefined ? undefined : await readFilter(leader, id);
  const { environment } = secondary.transport;
  const did = (action: PartialChange['action'], paths: readonly string[]): Promise<void> =>
    note.did({
      action,
      environment: leader.transport.environment,
      id,
      paths,
      revisionBefore: null,
      revisionAfter: null,
    });
  try {
    if (filter !== undefined) {
      await writeFilter(leader, id, wireFilterOf(filter));
      await did('replication-secondary.save-filter', ['mode', 'paths']);
    }
    const { token } = await createToken(leader, { id, ttl, publicKey });
    await did('replication-secondary.create-token', [`environment=${environment}`]);
    return await change(secondary, operation, {
      token,
      ...(primary_api_addr !== '' && { primary_api_addr }),
      ...(ca_file !== '' && { ca_file }),
      ...(ca_path !== '' && { ca_path }),
    });
  } catch (error) {
    // Where the secondary may be at it, the primary must still know it.
    const mayGoOn =
      error instanceof ServiceError && error.delivery === 'unknown' && error.init.environment === environment;
    if (!mayGoOn && (await undo(leader, id, before))) await did('replication-secondary.revoke', []);
    throw error;
  }
}

/**
 * Takes back what a primary was prepared with; what can't be taken back ends with its time.
 * @param before the filter that was there, null for none; undefined where it was not changed
 * @returns whether there was an activation, and it was revoked
 */
async function undo(
  leader: SecretsCaller,
  id: string,
  before: Awaited<ReturnType<typeof readFilter>> | undefined,
): Promise<boolean> {
  const [revoked] = await Promise.allSettled([
    change(leader, 'primary/revoke-secondary', { id }),
    before === null ? deleteFilter(leader, id) : before && writeFilter(leader, id, before),
  ]);
  return revoked.status === 'fulfilled';
}

const notSo = {
  disabled: 'This cluster replicates already: disable replication on it first, or update its primary.',
  secondary: 'This cluster is not a secondary.',
} as const;

/** @throws ProblemError `invalid-request` for a cluster that is something else */
export async function checkMode(caller: SecretsCaller, mode: keyof typeof notSo): Promise<void> {
  const status = await readStatus(caller);
  if (status?.mode === mode) return;
  const { environment, service } = caller.transport;
  throw new ProblemError(
    'invalid-request',
    status === null ? 'This server has no replication.' : notSo[mode],
    {
      environment,
      service,
    },
  );
}
