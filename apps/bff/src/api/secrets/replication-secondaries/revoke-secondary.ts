import type { ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import type { Became } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { atCluster, changeCluster } from '#shared/secrets/replication-change.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';

function judge(status: ReplicationStatus, id: string | undefined): Became['outcome'] {
  if (status.mode !== 'primary') return 'unknown';
  return status.secondaries.some((one) => one.id === id) ? 'failed' : 'succeeded';
}

export const revokeSecondary: Operation<'replicationSecondaries.revoke'> = audited(
  { became: atCluster((status, { params }) => judge(status, params['secondary'])) },
  (context, call) => {
    const { secondary: id } = call.params;
    return changeCluster(context, call, {
      judge: (status) => judge(status, id),
      send: (caller) => change(caller, 'primary/revoke-secondary', { id }),
    });
  },
);
