import type { Backend } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { backendOf } from '../../core/routes.ts';
import { kvStore } from '../../store/kv/kv-store.ts';
import { keyLister } from '../../store/kv/list-keys.ts';
import { configRoute } from './config.ts';
import { deleteLatest } from './delete-latest.ts';
import { deleteMetadata } from './delete-metadata.ts';
import { deleteVersions } from './delete-versions.ts';
import { destroyVersions } from './destroy-versions.ts';
import { listKeys } from './list-keys.ts';
import { patchMetadata } from './patch-metadata.ts';
import { patchSecret } from './patch-secret.ts';
import { readMetadata } from './read-metadata.ts';
import { readSecret } from './read-secret.ts';
import { readSubkeys } from './read-subkeys.ts';
import { undeleteVersions } from './undelete-versions.ts';
import { rootRoutes, unknownPath } from './unknown-path.ts';
import { writeMetadata } from './write-metadata.ts';
import { writeSecret } from './write-secret.ts';

const secretFields = ['data', 'options', 'version'];
const metadataFields = ['max_versions', 'cas_required', 'delete_version_after', 'custom_metadata'];

/** What the paths share that change versions. */
const versions = { fields: ['versions'], forwarded: true };

/** The versioned key-value engine: its fifteen operations. */
export function kvBackend({ store, barrier }: Context): Backend {
  const kv = kvStore(store, barrier);
  const list = listKeys(keyLister(store));
  const routes = backendOf([
    ...rootRoutes(list),
    configRoute(kv),
    {
      path: 'data/*path',
      fields: secretFields,
      forwarded: true,
      // A key that has only metadata has no value yet: the first one is created.
      exists: ({ mount }, { path = '' }) => (kv.key(mount.id, path)?.currentVersion ?? 0) > 0,
      operations: {
        read: readSecret(kv),
        update: writeSecret(kv),
        patch: patchSecret(kv),
        delete: deleteLatest(kv),
      },
    },
    { path: 'subkeys/*path', operations: { read: readSubkeys(kv) } },
    { ...versions, path: 'delete/*path', operations: { update: deleteVersions(kv) } },
    { ...versions, path: 'undelete/*path', operations: { update: undeleteVersions(kv) } },
    { ...versions, path: 'destroy/*path', operations: { update: destroyVersions(kv) } },
    {
      path: 'metadata/*path',
      fields: metadataFields,
      forwarded: true,
      exists: ({ mount }, { path = '' }) => kv.key(mount.id, path) !== undefined,
      operations: {
        list,
        read: readMetadata(kv),
        update: writeMetadata(kv),
        patch: patchMetadata(kv),
        delete: deleteMetadata(kv),
      },
    },
  ]);
  return { match: (path) => routes.match(path) ?? { route: unknownPath, params: {} } };
}
