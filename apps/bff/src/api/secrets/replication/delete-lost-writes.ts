import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { deleteLost } from '#upstreams/secrets-server/replication-changes.ts';
import { listLost } from '#upstreams/secrets-server/replication.ts';

export const deleteLostWrites: Operation<'replication.deleteLostWrites'> = audited(
  {
    became: async (context, call, _intent, { body }) => {
      const upTo = Number(body['up_to']);
      const left = await listLost(await secretsCaller(context, call), { before: upTo + 1, limit: 1 });
      if (left === null) return { outcome: 'unknown' };
      return { outcome: left.lost.length === 0 ? 'succeeded' : 'failed' };
    },
  },
  async (context, call) => ({
    deleted: await deleteLost(await secretsCaller(context, call, true), call.body.up_to),
  }),
);
