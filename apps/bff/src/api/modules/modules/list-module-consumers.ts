import { compressed, type Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { readConsumers } from '#upstreams/module-registry/management.ts';

export const listModuleConsumers: Operation<'modules.consumers'> = compressed(async (context, call) => ({
  consumers: await readConsumers(await modulesCaller(context, call), call.params),
}));
