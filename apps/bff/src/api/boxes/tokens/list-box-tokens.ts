import type { Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { listTokens } from '#upstreams/box-registry/management.ts';

export const listBoxTokens: Operation<'boxTokens.list'> = async (context, call) => {
  return { tokens: await listTokens(await boxesCaller(context, call)) };
};
