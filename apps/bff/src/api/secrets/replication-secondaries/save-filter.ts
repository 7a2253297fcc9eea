import {
  replicationFilterFields,
  type ReplicationFilter,
} from '@gatehouse/api-types/console/replication-secondaries';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { applyFilter, filterResource, isFilter, readFilterOf } from '#shared/secrets/replication-filter.ts';
import { whatFailed } from '#shared/secrets/stored-secret.ts';
import { wished } from '#shared/secrets/wished.ts';

export const saveReplicationFilter: Operation<'replicationSecondaries.saveFilter'> = audited(
  {
    became: async (context, call, intent, wish) => {
      const id = wish.params['secondary'] ?? intent.resource_id;
      const stored = await readFilterOf(await secretsCaller(context, call), id);
      const sent = wished(replicationFilterFields, wish);
      if (sent !== undefined && isFilter(stored, sent))
        return { outcome: 'succeeded', stored: { id, revision: stored.revision } };
      return { outcome: stored.revision === wish.revision ? 'failed' : 'unknown' };
    },
  },
  async (context, call) => {
    const { secondary } = call.params;
    const caller = await secretsCaller(context, call);
    return guardedWrite<ReplicationFilter>({
      resource: filterResource(caller, secondary),
      expected: call.revision,
      readFirst: true,
      read: () => readFilterOf(caller, secondary),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      send: async () => {
        await applyFilter(caller, secondary, call.body);
        return readFilterOf(caller, secondary);
      },
      equalsSent: (stored) => isFilter(stored, call.body),
    });
  },
);
