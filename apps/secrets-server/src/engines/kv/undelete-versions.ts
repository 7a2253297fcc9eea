import type { Handler } from '../../core/backend.ts';
import { deletionTime, noSettings } from '../../domain/kv/settings.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { changeVersions } from './change-versions.ts';

/** Brings versions back that are not destroyed. The time after which versions are deleted counts from now again. */
export function undeleteVersions(kv: KvStore): Handler {
  return changeVersions(kv, (change, version, now) => {
    if (version.destroyed) return false;
    change.setDeletionTime(version.version, deletionTime(change.key ?? noSettings, change.engine, now));
    return true;
  });
}
