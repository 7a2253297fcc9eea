import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { listScopes as list } from '#upstreams/access-controller/scopes.ts';

export const listScopes: Operation<'scopes.list'> = async (context, call) => ({
  items: await list(await accessCaller(context, call)),
});
