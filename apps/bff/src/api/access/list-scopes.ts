import type { Operation } from '../../http/operation.ts';
import { listScopes as list } from '../../upstreams/access-controller/scopes.ts';
import { accessCaller } from './caller.ts';

export const listScopes: Operation<'listScopes'> = async (context, call) => ({
  items: await list(await accessCaller(context, call)),
});
