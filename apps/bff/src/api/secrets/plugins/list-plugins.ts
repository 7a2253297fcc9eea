import { compressed, type Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { shadowedPlugins, summariesOf } from '#shared/secrets/plugin-catalog.ts';
import { mayWithPlugin } from '#shared/secrets/stored-plugin.ts';
import { listMountsOfPlugins } from '#upstreams/secrets-server/mounts.ts';
import { listPins, listPlugins as readCatalog } from '#upstreams/secrets-server/plugins.ts';

export const listPlugins: Operation<'plugins.list'> = compressed(async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [entries, mounts, pins, may] = await Promise.all([
    readCatalog(caller),
    listMountsOfPlugins(caller),
    listPins(caller),
    mayWithPlugin(caller, undefined),
  ]);
  const shadowed = await shadowedPlugins(caller, entries, mounts ?? []);
  return {
    items: summariesOf([...entries, ...shadowed]),
    mounts: mounts === null ? null : [...mounts],
    pins: pins === null ? null : [...pins],
    may,
  };
});
