import type { Handler } from '../../core/backend.ts';
import type { Body } from '../../core/body.ts';
import { mapField } from '../../core/fields.ts';
import { patchCustomMetadata } from '../../domain/kv/custom-metadata.ts';
import type { CustomMetadata } from '../../domain/kv/custom-metadata.ts';
import { noSettings } from '../../domain/kv/settings.ts';
import type { KvSettings } from '../../domain/kv/settings.ts';
import { notesOf } from '../../store/kv/kv-store.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { keyPath } from './parameters.ts';
import { settingsFields } from './settings-fields.ts';
import { nothingToPatch } from './wire.ts';

/** Applies a JSON merge patch to settings and custom metadata: null resets a setting or removes an entry. */
export function patchMetadata(kv: KvStore): Handler {
  return async ({ mount, body, now }, params) => {
    const path = keyPath(params['path']);
    const found = await kv.change(mount.id, path, now, (change) => {
      const { key } = change;
      if (key === undefined) return false;
      change.saveMetadata(
        settingsFields(body, takenBack(key, body), false),
        patchedNotes(body, () => notesOf(key)),
      );
      return true;
    });
    return found ? undefined : nothingToPatch;
  };
}

/** The settings before the patch, with those reset that the patch sets to null. */
function takenBack(settings: KvSettings, { values }: Body): KvSettings {
  return {
    maxVersions: values['max_versions'] === null ? noSettings.maxVersions : settings.maxVersions,
    casRequired: values['cas_required'] === null ? noSettings.casRequired : settings.casRequired,
    deleteVersionAfter:
      values['delete_version_after'] === null ? noSettings.deleteVersionAfter : settings.deleteVersionAfter,
  };
}

function patchedNotes(body: Body, notes: () => CustomMetadata): CustomMetadata | undefined {
  if (!Object.hasOwn(body.values, 'custom_metadata')) return undefined;
  const patch = mapField(body, 'custom_metadata');
  return patch === undefined ? new Map() : patchCustomMetadata(notes(), patch);
}
