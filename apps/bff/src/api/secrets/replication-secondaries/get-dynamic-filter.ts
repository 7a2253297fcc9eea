import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { readDynamicFilter } from '#upstreams/secrets-server/replication.ts';

export const getDynamicFilter: Operation<'replicationSecondaries.getDynamicFilter'> = async (context, call) =>
  readDynamicFilter(await secretsCaller(context, call), 'primary', call.params.secondary);
