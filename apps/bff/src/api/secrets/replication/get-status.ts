import type { Operation } from '#operation/operation.ts';
import { readReplication } from '#shared/secrets/replication-status.ts';

export const getReplicationStatus: Operation<'replication.getStatus'> = async (context, call) => {
  const status = await readReplication(context, call);
  await context.knownClusters.keep(call.params.environment, status);
  return status;
};
