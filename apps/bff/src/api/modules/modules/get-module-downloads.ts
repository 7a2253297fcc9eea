import { compressed, type Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { readDaily } from '#upstreams/module-registry/management.ts';
import { readDownloads } from '#upstreams/module-registry/modules.ts';

export const getModuleDownloads: Operation<'modules.downloads'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const [summary, daily] = await Promise.all([
    readDownloads(caller, call.params),
    readDaily(caller, call.params),
  ]);
  return { ...summary, daily };
});
