import type { Handler } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { checkAndSet, expectedVersion } from '../../domain/kv/check-and-set.ts';
import { mergePatch } from '../../domain/kv/merge-patch.ts';
import { casRequired } from '../../domain/kv/settings.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { dataParameter, keyPath } from './parameters.ts';
import { nothingToPatch, versionWire } from './wire.ts';

/** Writes a new version of a secret by a JSON merge patch on the current one, which must be readable. */
export function patchSecret(kv: KvStore): Handler {
  return async (request, params) => {
    const path = keyPath(params['path']);
    const patch = dataParameter(request);
    const expected = expectedVersion(request.body);
    const written = await kv.change(request.mount.id, path, request.now, (change) => {
      const { key, engine } = change;
      if (key === undefined || key.currentVersion === 0) return undefined;
      checkAndSet(expected, key.currentVersion, casRequired(key, engine));
      const current = change.version(key.currentVersion);
      if (current === undefined) return undefined;
      if (current.data === null) return { patched: false, version: current };
      return { patched: true, version: change.addVersion(mergePatch(current.data, patch)) };
    });
    if (written === undefined) return nothingToPatch;
    const { patched, version } = written;
    return { status: patched ? 200 : 404, data: new JsonText(versionWire(version)) };
  };
}
