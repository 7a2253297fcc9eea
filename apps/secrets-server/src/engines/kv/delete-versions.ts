import type { Handler } from '../../core/backend.ts';
import { isReadable } from '../../store/kv/kv-store.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { changeVersions } from './change-versions.ts';

/** Deletes versions softly: their values stay in the store, and undelete brings them back. */
export function deleteVersions(kv: KvStore): Handler {
  return changeVersions(kv, (change, version, now) => {
    if (!isReadable(version, now)) return false;
    change.setDeletionTime(version.version, now);
    return true;
  });
}
