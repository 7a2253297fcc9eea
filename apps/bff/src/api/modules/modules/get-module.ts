import { compressed, type Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { notThere } from '#shared/modules/versions.ts';
import { readModule } from '#upstreams/module-registry/modules.ts';

export const getModule: Operation<'modules.get'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const found = await readModule(caller, call.params);
  if (found === null) throw notThere(caller, 'module');
  return found.module;
});
