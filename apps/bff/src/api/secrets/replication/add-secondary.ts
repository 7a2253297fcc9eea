import { replication } from '@gatehouse/api-types/console/replication';
import type { ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import type { Became } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { activate, checkMode, demandForPrimary, leaderOf } from '../activation.ts';
import { atCluster, changeCluster } from '../replication-change.ts';
import { wished } from '../wished.ts';

function judge(status: ReplicationStatus, id: string | undefined): Became['outcome'] {
  if (status.mode === 'disabled') return 'failed';
  return status.mode === 'secondary' && status.secondary_id === id ? 'succeeded' : 'unknown';
}

/** Makes a cluster another environment's secondary. The activation token never leaves the console. */
export const addSecondary: Operation<'replication.addSecondary'> = audited(
  {
    address: ({ body: { id, primary, filter } }) => ({
      id,
      paths: [`primary=${primary}`, ...(filter === undefined ? [] : ['filter.mode', 'filter.paths'])],
    }),
    precondition: (context, call) => demandForPrimary(context, call, call.body.primary),
    became: atCluster((status, wish) => judge(status, wished(replication.addSecondary.body, wish)?.id)),
  },
  async (context, call) => {
    const { body, session } = call;
    const { environment } = call.params;
    const { tokenId } = await serviceToken(context, call, 'secrets');
    const leader = await leaderOf(context, call, body);
    return changeCluster(context, call, {
      other: leader,
      judge: (status) => judge(status, body.id),
      send: async (secondary) => {
        await checkMode(secondary, 'disabled');
        return activate(leader, secondary, body, 'secondary/enable', call.note);
      },
      // The cluster has cleared its data, including the caller's token.
      after: () => context.connections.refuse(session.id, environment, 'secrets', tokenId),
    });
  },
);
