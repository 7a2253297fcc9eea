import type { Mount } from '@gatehouse/api-types/console/secret-metadata';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import { folderPolicyPath, policyPath } from '#upstreams/secrets-server/place.ts';
import { allows, listKeyValueMounts, readCapabilities } from '#upstreams/secrets-server/system.ts';

export const listMounts: Operation<'secretEngines.list'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const mounts = await listKeyValueMounts(caller);
  const pathsOf = ({ path: mount, version }: (typeof mounts)[number]) => ({
    // An engine without versions lists its names at its mount.
    list: version === 2 ? folderPolicyPath('metadata', { mount, path: '' }) : `${mount}/`,
    settings: policyPath('config', { mount, path: '' }),
  });
  const found = await readCapabilities(
    caller,
    mounts.flatMap((mount) => Object.values(pathsOf(mount))),
  );
  const items = mounts.map((mount): Mount => {
    const { list, settings } = pathsOf(mount);
    return {
      ...mount,
      may:
        found === null
          ? null
          : {
              list: allows(found.get(list), 'list'),
              read_settings: mount.version === 2 && allows(found.get(settings), 'read'),
              change_settings: mount.version === 2 && allows(found.get(settings), 'update', 'create'),
            },
    };
  });
  return { items };
};
