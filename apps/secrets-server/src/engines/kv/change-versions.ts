import type { Handler } from '../../core/backend.ts';
import type { KeyChange, KvStore, KvVersion } from '../../store/kv/kv-store.ts';
import { keyPath, versionsParameter } from './parameters.ts';

/** Changes one version and returns whether it changed. */
type ChangeVersion = (change: KeyChange, version: KvVersion, now: number) => boolean;

/**
 * A handler that changes the versions in a body. Missing versions and keys are ignored.
 * @param none the message if the body lists no versions
 */
export function changeVersions(
  kv: KvStore,
  changeVersion: ChangeVersion,
  none = 'No version number provided',
): Handler {
  return async (request, params) => {
    const path = keyPath(params['path']);
    const versions = versionsParameter(request, none);
    const { mount, now } = request;
    await kv.change(mount.id, path, now, (change) => {
      if (change.key === undefined) return;
      let changed = false;
      for (const version of change.versions()) {
        if (versions.has(version.version) && changeVersion(change, version, now)) changed = true;
      }
      if (changed) change.touch();
    });
    return undefined;
  };
}
