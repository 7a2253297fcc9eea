import type { Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { listTokens } from '#upstreams/module-registry/management.ts';

export const listModuleTokens: Operation<'moduleTokens.list'> = async (context, call) => ({
  tokens: await listTokens(await modulesCaller(context, call)),
});
