import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { readReceivedFilter, readStatus } from '#upstreams/secrets-server/replication.ts';

/** Asked of the secondary by its own identifier; nothing is known where it has none. */
export const getReceivedFilter: Operation<'replication.getReceivedFilter'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const id = (await readStatus(caller))?.secondary_id ?? null;
  return id === null ? { mounts: null, namespaces: null } : readReceivedFilter(caller, id);
};
