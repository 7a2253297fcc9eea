import type { Answer } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { wireTime } from '../../core/time.ts';
import type { FoundVersion, KvVersion } from '../../store/kv/kv-store.ts';

/** A patch finds no key: 404 without a body. */
export const nothingToPatch: Answer = { status: 404, bare: new JsonText('') };

/** JSON of a version as a read and a write tell it. */
export function versionWire(version: FoundVersion): string {
  return (
    `{"created_time":"${wireTime(version.createdTime)}",` +
    `"custom_metadata":${version.customMetadata ?? 'null'},` +
    `"deletion_time":"${deletionWire(version)}",` +
    `"destroyed":${version.destroyed},` +
    `"version":${version.version}}`
  );
}

/** The time of a deletion, past or to come; empty for none. */
export function deletionWire({ deletionTime }: KvVersion): string {
  return deletionTime === null ? '' : wireTime(deletionTime);
}
