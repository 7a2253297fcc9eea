import { compressed, type Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { searchModules as search } from '#upstreams/module-registry/modules.ts';

const defaultLimit = 50;

export const searchModules: Operation<'modules.search'> = compressed(async (context, call) => {
  const { q = '', namespace = '', provider, verified, deprecated, offset = 0, limit } = call.query;
  return search(await modulesCaller(context, call), {
    q,
    namespace,
    provider: provider || undefined,
    verified,
    deprecated,
    offset,
    limit: limit ?? defaultLimit,
  });
});
