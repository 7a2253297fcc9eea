import type { Handler } from '../../core/backend.ts';
import { mapField } from '../../core/fields.ts';
import { parseCustomMetadata } from '../../domain/kv/custom-metadata.ts';
import { noSettings } from '../../domain/kv/settings.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { keyPath } from './parameters.ts';
import { settingsFields } from './settings-fields.ts';

/** Writes settings and notes of a key, making it when there is none. Notes are replaced as a whole. No version is made. */
export function writeMetadata(kv: KvStore): Handler {
  return async ({ mount, body, now }, params) => {
    const path = keyPath(params['path']);
    const notes = Object.hasOwn(body.values, 'custom_metadata')
      ? parseCustomMetadata(mapField(body, 'custom_metadata') ?? {})
      : undefined;
    await kv.change(mount.id, path, now, (change) => {
      change.saveMetadata(settingsFields(body, change.key ?? noSettings, false), notes);
    });
    return undefined;
  };
}
