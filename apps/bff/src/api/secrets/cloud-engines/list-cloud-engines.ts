import type { Operation } from '#operation/operation.ts';
import { mapInOrder } from '#shared/concurrently.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { engineOf, listCloudMounts, mayWithEngines } from '#shared/secrets/cloud-engines.ts';
import { orDenied } from '#shared/secrets/stored-secret.ts';
import { isCloudPlugin } from '#upstreams/secrets-server/check-engine.ts';
import { listPlugins } from '#upstreams/secrets-server/plugins.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';

/** A path at which none need be mounted: policies speak of any. */
const anyMount = 'sys/mounts/cloud';

/** Engines that are asked about at once. */
const atOnce = 8;

export const listCloudEngines: Operation<'cloudEngines.list'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [mounts, plugins, rights] = await Promise.all([
    listCloudMounts(caller),
    orDenied(listPlugins(caller)),
    readCapabilities(caller, [anyMount]),
  ]);
  const may =
    mounts.length === 0
      ? () => null
      : await mayWithEngines(
          caller,
          mounts.map(({ path }) => path),
        );
  const items = await Array.fromAsync(
    mapInOrder(mounts, (mount) => engineOf(caller, mount, may(mount.path)), atOnce),
  );
  return {
    items,
    available:
      plugins === 'denied'
        ? null
        : [
            ...new Set(
              plugins
                .filter(({ type, name }) => type === 'secret' && isCloudPlugin(name))
                .map(({ name }) => name),
            ),
          ],
    may_mount: rights === null ? null : allows(rights.get(anyMount), 'create', 'update'),
  };
};
