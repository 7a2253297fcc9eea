import type { Handler } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { notFound } from '../../core/refusal.ts';
import { checkAndSet, expectedVersion } from '../../domain/kv/check-and-set.ts';
import { mergePatch } from '../../domain/kv/merge-patch.ts';
import { casRequired } from '../../domain/kv/settings.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { dataParameter, keyPath } from './parameters.ts';
import { versionWire } from './wire.ts';

/** Writes a new version of a secret by a JSON merge patch on the current one, which must be readable. */
export function patchSecret(kv: KvStore): Handler {
  return async (request, params) => {
    const path = keyPath(params['path']);
    const patch = dataParameter(request);
    const expected = expectedVersion(request.body);
    const { patched, version } = await kv.change(request.mount.id, path, request.now, (change) => {
      const { key, engine } = change;
      if (key === undefined || key.currentVersion === 0) throw notFound();
      checkAndSet(expected, key.currentVersion, casRequired(key, engine));
      const current = change.version(key.currentVersion);
      if (current === undefined) throw notFound();
      if (current.data === null) return { patched: false, version: current };
      return { patched: true, version: change.addVersion(mergePatch(current.data, patch)) };
    });
    if (patched) return { data: new JsonText(versionWire(version)) };
    return { status: 404, data: new JsonText(`{"data":null,"metadata":${versionWire(version)}}`) };
  };
}
