import { replication } from '@gatehouse/api-types/console/replication';
import type { ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import type { Became } from '#audit/became.ts';
import { inTurn } from '#conflict/in-turn.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { activate, checkMode, demandForPrimary, leaderOf } from '#shared/secrets/activation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { atCluster, changed, clusterResource, sendOnce } from '#shared/secrets/replication-change.ts';
import { signInAgain } from '#shared/secrets/sign-in-again.ts';
import { wished } from '#shared/secrets/wished.ts';

function judge(status: ReplicationStatus, id: string | undefined): Became['outcome'] {
  if (status.mode === 'disabled') return 'failed';
  return status.mode === 'secondary' && status.secondary_id === id ? 'succeeded' : 'unknown';
}

/** Makes a cluster a secondary of another environment's. The activation token never leaves the console. */
export const addSecondary: Operation<'replication.addSecondary'> = audited(
  {
    address: ({ body: { id, primary, filter } }) => ({
      id,
      paths: [`primary=${primary}`, ...(filter === undefined ? [] : ['filter.mode', 'filter.paths'])],
    }),
    precondition: (context, call) => {
      demandForPrimary(context, call, call.body.primary);
      return Promise.resolve();
    },
    became: atCluster((status, wish) => judge(status, wished(replication.addSecondary.body, wish)?.id)),
  },
  async (context, call) => {
    const { body, session } = call;
    const { environment } = call.params;
    const caller = await secretsCaller(context, call, true);
    const { tokenId } = await serviceToken(context, call, 'secrets');
    const leader = await leaderOf(context, call, body);
    const warnings = await inTurn(clusterResource(caller), async () => {
      await checkMode(caller, 'disabled');
      return sendOnce(context, call, caller, {
        judge: (status) => judge(status, body.id),
        send: (secondary) => activate(leader, secondary, body, 'secondary/enable', call.note),
      });
    });
    // With everything else, the cluster has cleared its tokens.
    await context.connections.refuse(session.id, environment, 'secrets', tokenId);
    if (body.credentials !== undefined) await signInAgain(context, call, body.credentials);
    return changed(context, call, warnings);
  },
);
