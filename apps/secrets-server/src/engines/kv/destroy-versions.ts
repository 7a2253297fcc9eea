import type { Handler } from '../../core/backend.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { changeVersions } from './change-versions.ts';

/** Removes the values of versions for good; that they were there stays known. */
export function destroyVersions(kv: KvStore): Handler {
  return changeVersions(
    kv,
    (change, version) => {
      if (version.destroyed) return false;
      change.destroy(version.version);
      return true;
    },
    'no version number provided',
  );
}
