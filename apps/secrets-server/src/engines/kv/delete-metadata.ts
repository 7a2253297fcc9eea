import type { Handler } from '../../core/backend.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';

/** Removes a key with its metadata and all its versions for good. */
export function deleteMetadata(kv: KvStore): Handler {
  return async ({ mount, now }, { path = '' }) => {
    await kv.change(mount.id, path, now, (change) => {
      if (change.key !== undefined) change.remove();
    });
    return undefined;
  };
}
