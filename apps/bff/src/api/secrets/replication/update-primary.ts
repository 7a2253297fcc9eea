import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import { replication } from '@gatehouse/api-types/console/replication';
import type { ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import type { BodyOf } from '@gatehouse/api-types/contract';
import type { Became } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { activate, checkMode, demandForPrimary, leaderOf } from '#shared/secrets/activation.ts';
import { atCluster, changeCluster } from '#shared/secrets/replication-change.ts';
import { wished } from '#shared/secrets/wished.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';

type Body = BodyOf<Endpoints['replication']['updatePrimary']>;

/** Which primary a secondary follows can't be told from the one of before by its addresses alone. */
function judge(status: ReplicationStatus, kind: Body['kind'] | undefined): Became['outcome'] {
  if (status.mode !== 'secondary' || kind !== 'forget') return 'unknown';
  return status.primary === null ? 'succeeded' : 'failed';
}

export const updatePrimary: Operation<'replication.updatePrimary'> = audited(
  {
    address: ({ body }) =>
      body.kind === 'environment'
        ? { id: body.id, paths: [`kind=${body.kind}`, `primary=${body.primary}`] }
        : { paths: [`kind=${body.kind}`] },
    precondition: async (context, call) => {
      if (call.body.kind === 'environment') await demandForPrimary(context, call, call.body.primary);
    },
    became: atCluster((status, wish) => judge(status, wished(replication.updatePrimary.body, wish)?.kind)),
  },
  async (context, call) => {
    const { body } = call;
    const leader = body.kind === 'environment' ? await leaderOf(context, call, body) : undefined;
    return changeCluster(context, call, {
      other: leader,
      judge: (status) => judge(status, body.kind),
      send: async (caller) => {
        if (body.kind === 'environment' && leader !== undefined) {
          await checkMode(caller, 'secondary');
          return activate(leader, caller, body, 'secondary/update-primary', call.note);
        }
        return change(
          caller,
          'secondary/update-primary',
          body.kind === 'addresses' ? { update_primary_addrs: body.addresses } : { token: '' },
        );
      },
    });
  },
);
