import type { ReplicationTransition } from '@gatehouse/api-types/console/replication-status';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { listTransitions } from '#upstreams/secrets-server/replication.ts';

type Outcome = ReplicationTransition['outcome'];

const outcomes: Readonly<Record<string, Outcome>> = { done: 'done', refused: 'refused', failed: 'failed' };

export const listReplicationTransitions: Operation<'replication.listTransitions'> = async (context, call) => {
  const found = await listTransitions(await secretsCaller(context, call));
  return {
    items:
      found
        ?.map(({ outcome, ...rest }) => ({
          ...rest,
          outcome: outcomes[outcome ?? ''] ?? 'unknown',
        }))
        .sort((a, b) => Date.parse(b.time) - Date.parse(a.time)) ?? null,
  };
};
