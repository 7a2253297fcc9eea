import { compressed, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { listLost } from '#upstreams/secrets-server/replication.ts';

export const listLostWrites: Operation<'replication.listLostWrites'> = compressed(async (context, call) => {
  const found = await listLost(await secretsCaller(context, call));
  return { items: found?.map((write) => ({ ...write })).sort((a, b) => b.seq - a.seq) ?? null };
});
