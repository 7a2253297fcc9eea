import type { Handler } from '../../core/backend.ts';
import { versionsAtOnce, type KeyChange, type KvStore, type KvVersion } from '../../store/kv/kv-store.ts';
import { keyPath, versionsParameter } from './parameters.ts';

/** Changes one version and returns whether it changed. */
type ChangeVersion = (change: KeyChange, version: KvVersion, now: number) => boolean;

/**
 * A handler that changes the versions in a body, many of them in several transactions. Missing versions and keys are
 * ignored.
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
    let last = 0;
    // A change writes the value again, which takes long for a large one.
    await kv.changeInParts(mount.id, path, now, (change, isOver) => {
      if (change.key === undefined) return true;
      let isChanged = false;
      const some = change.versions(last);
      for (const version of some) {
        if (isChanged && isOver()) break;
        last = version.version;
        if (versions.has(last) && changeVersion(change, version, now)) isChanged = true;
      }
      if (isChanged) change.touch();
      return last === (some.at(-1)?.version ?? last) && some.length < versionsAtOnce;
    });
    return undefined;
  };
}
