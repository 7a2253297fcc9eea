import { harmOfPromotion } from '@gatehouse/api-types/console/harm-of';
import { audited, type Operation } from '#operation/operation.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';
import { atCluster, changeCluster, changesMode } from '../replication-change.ts';

const judge = changesMode('secondary', 'primary');

export const promoteSecondary: Operation<'replication.promote'> = audited(
  { became: atCluster(judge), harm: ({ body }) => harmOfPromotion(body) },
  (context, call) => {
    const { primary_cluster_addr = '', force = false } = call.body;
    return changeCluster(context, call, {
      judge,
      send: (caller) =>
        change(caller, 'secondary/promote', {
          ...(primary_cluster_addr !== '' && { primary_cluster_addr }),
          ...(force && { force }),
        }),
    });
  },
);
