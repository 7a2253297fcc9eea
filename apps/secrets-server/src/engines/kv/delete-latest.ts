import type { Handler } from '../../core/backend.ts';
import { isReadable } from '../../store/kv/kv-store.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';

/** Deletes the current version softly: its value stays in the store, and undelete brings it back. */
export function deleteLatest(kv: KvStore): Handler {
  return async ({ mount, now }, { path = '' }) => {
    await kv.change(mount.id, path, now, (change) => {
      const { key } = change;
      const current = key === undefined ? undefined : change.version(key.currentVersion);
      if (current === undefined || !isReadable(current, now)) return;
      change.setDeletionTime(current.version, now);
      change.touch();
    });
    return undefined;
  };
}
