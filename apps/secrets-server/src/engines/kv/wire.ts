import type { Answer } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { wireTime } from '../../core/time.ts';
import type { FoundVersion, KvVersion } from '../../store/kv/kv-store.ts';

/** A patch of a missing key: 404 without a body. */
export const nothingToPatch: Answer = { status: 404, bare: new JsonText('') };

/** The JSON of a version in the answer to a read or write. */
export function versionWire(version: Omit<FoundVersion, 'data'>): string {
  return (
    `{"created_time":"${wireTime(version.createdTime)}",` +
    `"custom_metadata":${version.customMetadata ?? 'null'},` +
    `"deletion_time":"${deletionWire(version)}",` +
    `"destroyed":${version.destroyed},` +
    `"version":${version.version}}`
  );
}

/** The time of a past or scheduled deletion; empty if there is none. */
export function deletionWire({ deletionTime }: Pick<KvVersion, 'deletionTime'>): string {
  return deletionTime === null ? '' : wireTime(deletionTime);
}
