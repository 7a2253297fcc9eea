import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, listKeyValueMounts, readCapabilities } from '#upstreams/secrets-server/system.ts';

export const listMounts: Operation<'secretEngines.list'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const mounts = await listKeyValueMounts(caller);
  const pathsOf = (mount: string) => ({
    list: `${policyPath('metadata', { mount, path: '' })}/`,
    settings: policyPath('config', { mount, path: '' }),
  });
  const found = await readCapabilities(
    caller,
    mounts.flatMap(({ path }) => Object.values(pathsOf(path))),
  );
  const items = mounts.map((mount): Mount => {
    const { list, settings } = pathsOf(mount.path);
    return {
      ...mount,
      may:
        found === null
          ? null
          : {
              list: allows(found.get(list), 'list'),
              read_settings: allows(found.get(settings), 'read'),
              change_settings: allows(found.get(settings), 'update', 'create'),
            },
    };
  });
  return { items };
};
