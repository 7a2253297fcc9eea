import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { readFilterOf } from '#shared/secrets/replication-filter.ts';

export const getReplicationFilter: Operation<'replicationSecondaries.getFilter'> = async (context, call) =>
  readFilterOf(await secretsCaller(context, call), call.params.secondary);
