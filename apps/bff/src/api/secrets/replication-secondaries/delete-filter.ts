import { guardedDelete } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { filterResource, readFilterOf } from '#shared/secrets/replication-filter.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { deleteFilter } from '#upstreams/secrets-server/replication.ts';

export const deleteReplicationFilter: Operation<'replicationSecondaries.deleteFilter'> = audited(
  {
    became: async (context, call, intent, wish) => {
      const id = wish.params['secondary'] ?? intent.resource_id;
      const stored = await readFilterOf(await secretsCaller(context, call), id);
      return { outcome: stored.configured ? 'failed' : 'succeeded' };
    },
  },
  async (context, call) => {
    const { secondary } = call.params;
    const caller = await secretsCaller(context, call);
    await guardedDelete({
      resource: filterResource(caller, secondary),
      expected: call.revision,
      read: async () => {
        const stored = await readFilterOf(caller, secondary);
        return stored.configured ? stored : null;
      },
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => deleteFilter(caller, secondary),
    });
  },
);
