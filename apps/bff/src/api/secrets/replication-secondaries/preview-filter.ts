import type { ReplicationFilterFields } from '@gatehouse/api-types/console/replication-secondaries';
import { compressed, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { isReceived, normal, readFilterOf } from '#shared/secrets/replication-filter.ts';
import { listEverything } from '#upstreams/secrets-server/namespaces.ts';

const everything: ReplicationFilterFields = { mode: 'all', paths: [] };

export const previewReplicationFilter: Operation<'replicationSecondaries.previewFilter'> = compressed(
  async (context, call) => {
    const { secondary, mode, paths } = call.body;
    const caller = await secretsCaller(context, call);
    const [{ items, complete }, before] = await Promise.all([
      listEverything(caller),
      secondary === undefined ? everything : readFilterOf(caller, secondary),
    ]);
    const after = { mode, paths: normal(paths) };
    return {
      items: items.map((item) => ({
        ...item,
        received: isReceived(before, item),
        will_be_received: isReceived(after, item),
      })),
      unmatched: after.paths.filter((path) => !items.some((item) => item.path === path)),
      complete,
    };
  },
);
