import type {
  ComparedCluster,
  ReplicationDigest,
  ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import type { Context } from '#operation/context.ts';
import type { Operation } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { callAt } from '#shared/secrets/replication-change.ts';
import { readReplication } from '#shared/secrets/replication-status.ts';
import { isAnswer } from '#upstreams/secrets-server/client.ts';
import { readDigest } from '#upstreams/secrets-server/replication.ts';

/** Compares two clusters: where one is the primary of the other, by what its filter lets through. */
export const compareClusters: Operation<'replication.compare'> = async (context, call) => {
  const other = callAt(call, call.query.with);
  const [here, there] = await Promise.all([readReplication(context, call), readReplication(context, other)]);
  const filteredFor = followerOf(here, there) ?? followerOf(there, here);
  const of = (status: ReplicationStatus) => (status.mode === 'primary' ? filteredFor : undefined);
  const clusters = await Promise.all([
    compared(context, call, here, of(here)),
    compared(context, other, there, of(there)),
  ]);
  const [one, two] = clusters;
  const behind = one.seq === null || two.seq === null ? null : one.seq - two.seq;
  return { clusters, filtered_for: filteredFor ?? null, same: areSame(one, two), behind };
};

/** The identifier of a secondary, where the other cluster is its primary. */
function followerOf(primary: ReplicationStatus, secondary: ReplicationStatus): string | undefined {
  if (primary.mode !== 'primary' || secondary.mode !== 'secondary') return undefined;
  return primary.secondaries.find(
    ({ id, cluster_id }) =>
      id === secondary.secondary_id || (cluster_id !== null && cluster_id === secondary.cluster_id),
  )?.id;
}

async function compared(
  context: Context,
  call: ServiceCall,
  status: ReplicationStatus,
  secondary: string | undefined,
): Promise<ComparedCluster> {
  const digest = await digestOf(context, call, status, secondary);
  return {
    environment: call.params.environment,
    mode: status.mode,
    cluster_id: 'cluster_id' in status ? status.cluster_id : null,
    seq: digest?.seq ?? ('last_seq' in status ? status.last_seq : null),
    digest,
  };
}

/** The digest of a cluster that has a part in replication; null too while it receives all records, and without the right. */
async function digestOf(
  context: Context,
  call: ServiceCall,
  { mode, signed_in }: ReplicationStatus,
  secondary: string | undefined,
): Promise<ReplicationDigest | null> {
  if (!signed_in || (mode !== 'primary' && mode !== 'secondary')) return null;
  try {
    return await readDigest(await secretsCaller(context, call), secondary);
  } catch (error) {
    if (isAnswer(error, 400, 403) && error.code !== 'not-connected') return null;
    throw error;
  }
}

/** At different positions, digests differ whatever the records are. */
function areSame(one: ComparedCluster, two: ComparedCluster): boolean | null {
  if (one.digest === null || two.digest === null) return null;
  if (one.digest.seq !== two.digest.seq || one.digest.epoch !== two.digest.epoch) return null;
  return one.digest.digest === two.digest.digest && one.digest.records === two.digest.records;
}
