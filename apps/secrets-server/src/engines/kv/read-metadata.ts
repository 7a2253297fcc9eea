import type { Handler } from '../../core/backend.ts';
import { formatDuration } from '../../core/duration.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { wireTime } from '../../core/time.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { deletionWire } from './wire.ts';

/** Reads what is known of a key and of each of its versions; never a value. */
export function readMetadata(kv: KvStore): Handler {
  return ({ mount }, { path = '' }) => {
    const key = kv.key(mount.id, path);
    if (key === undefined) return undefined;
    const versions = kv
      .versions(key)
      .map(
        (version) =>
          `"${version.version}":{"created_time":"${wireTime(version.createdTime)}",` +
          `"deletion_time":"${deletionWire(version)}","destroyed":${version.destroyed}}`,
      );
    return {
      data: {
        cas_required: key.casRequired,
        created_time: wireTime(key.createdTime),
        current_version: key.currentVersion,
        custom_metadata: new JsonText(key.customMetadata ?? 'null'),
        delete_version_after: formatDuration(key.deleteVersionAfter),
        max_versions: key.maxVersions,
        oldest_version: key.oldestVersion,
        updated_time: wireTime(key.updatedTime),
        versions: new JsonText(`{${versions.join(',')}}`),
      },
    };
  };
}
