import { resource, type Operation } from '#operation/operation.ts';
import { listScopes as list } from '#upstreams/access-controller/scopes.ts';
import { inAccess, accessCaller } from '../caller.ts';

const listScopes: Operation<'scopes.list'> = async (context, call) => ({
  items: await list(await accessCaller(context, call)),
});

export const scopeOperations = resource(inAccess, { 'scopes.list': listScopes });
