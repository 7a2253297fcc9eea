import { compressed, type Operation } from '#operation/operation.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { notThere } from '#shared/modules/versions.ts';
import { readWholeVersion } from '#upstreams/module-registry/modules.ts';

export const getModuleVersion: Operation<'moduleVersions.get'> = compressed(async (context, call) => {
  const caller = await modulesCaller(context, call);
  const version = await readWholeVersion(caller, call.params);
  if (version === null) throw notThere(caller, 'version');
  return version;
});
