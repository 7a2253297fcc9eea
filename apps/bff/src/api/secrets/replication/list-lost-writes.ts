import { compressed, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { listLost } from '#upstreams/secrets-server/replication.ts';

export const listLostWrites: Operation<'replication.listLostWrites'> = compressed(async (context, call) => {
  const found = await listLost(await secretsCaller(context, call), call.query);
  return { items: found?.lost ?? null, total: found?.total ?? null };
});
