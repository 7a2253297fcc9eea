import type { Operation } from '#operation/operation.ts';
import { readReplication } from '#shared/secrets/replication-status.ts';

export const getReplicationStatus: Operation<'replication.getStatus'> = (context, call) =>
  readReplication(context, call);
