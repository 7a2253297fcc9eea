/** The servers of a cluster, from whichever operation reports them. */
import {
  clusterHealth,
  haStatus,
  leader,
  raftConfiguration,
} from '@gatehouse/api-types/services/secrets-replication';
import type * as z from 'zod/mini';
import { buildPath } from '../path.ts';
import { isAnswer, type SecretsCaller } from './client.ts';

/** Reads a path; null if the server doesn't have it or doesn't show it. */
async function readShown<Schema extends z.ZodMiniType>(
  caller: SecretsCaller,
  path: string,
  schema: Schema,
  query: Readonly<Record<string, boolean>> = {},
): Promise<z.output<Schema> | null> {
  const { transport } = caller;
  try {
    const answer = await caller.send({
      method: 'GET',
      path: buildPath(`${transport.prefix}/v1/sys/${path}`, [], { query }),
    });
    return await transport.parse(schema, answer);
  } catch (error) {
    if (isAnswer(error, 400, 403, 404, 405, 500) && error.code !== 'not-connected') return null;
    throw error;
  }
}

/** The servers that share a storage; null if the server doesn't report them. */
export async function readHaStatus(caller: SecretsCaller) {
  return (await readShown(caller, 'ha-status', haStatus))?.data.nodes ?? null;
}

/** The servers of integrated storage; null if the server uses another storage or doesn't report them. */
export async function readRaft(caller: SecretsCaller) {
  return (
    (await readShown(caller, 'storage/raft/configuration', raftConfiguration))?.data.config.servers ?? null
  );
}

/** The active server; null if the server doesn't report it. */
export function readLeader(caller: SecretsCaller) {
  return readShown(caller, 'leader', leader);
}

/** The cluster, its mode and the server's edition; null if the server doesn't report them. Standbys report them too. */
export function readClusterHealth(caller: SecretsCaller) {
  return readShown(caller, 'health', clusterHealth, { standbyok: true, perfstandbyok: true });
}
