import { audited, type Operation } from '#operation/operation.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';
import { atCluster, changeCluster, changesMode } from '../replication-change.ts';

const judge = changesMode('disabled', 'primary');

export const enablePrimary: Operation<'replication.enablePrimary'> = audited(
  { became: atCluster(judge) },
  (context, call) => {
    const { primary_cluster_addr = '' } = call.body;
    return changeCluster(context, call, {
      judge,
      send: (caller) =>
        change(caller, 'primary/enable', primary_cluster_addr === '' ? {} : { primary_cluster_addr }),
    });
  },
);
