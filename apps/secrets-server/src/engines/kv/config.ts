import type { Route } from '../../core/backend.ts';
import { formatDuration } from '../../core/duration.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { settingsFields } from './settings-fields.ts';

/** The settings of an engine, which apply to keys without their own. */
export function configRoute(kv: KvStore): Route {
  return {
    path: 'config',
    fields: ['max_versions', 'cas_required', 'delete_version_after'],
    forwarded: true,
    operations: {
      read: ({ mount }) => {
        const config = kv.config(mount.id);
        return {
          data: {
            cas_required: config.casRequired,
            delete_version_after: formatDuration(config.deleteVersionAfter),
            max_versions: config.maxVersions,
          },
        };
      },
      update: async ({ mount, body }) => {
        await kv.changeConfig(mount.id, (now) => settingsFields(body, now, true));
        return undefined;
      },
    },
  };
}
