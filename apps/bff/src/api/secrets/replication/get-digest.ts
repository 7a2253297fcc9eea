import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { readDigest } from '#upstreams/secrets-server/replication.ts';

export const getReplicationDigest: Operation<'replication.getDigest'> = async (context, call) => ({
  digest: await readDigest(await secretsCaller(context, call), call.query.secondary),
});
