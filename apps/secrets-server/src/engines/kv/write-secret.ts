import type { Handler } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { checkAndSet, expectedVersion } from '../../domain/kv/check-and-set.ts';
import { casRequired, noSettings } from '../../domain/kv/settings.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { dataParameter, keyPath } from './parameters.ts';
import { versionWire } from './wire.ts';

/** Writes a whole new version of a secret. */
export function writeSecret(kv: KvStore): Handler {
  return async (request, params) => {
    const path = keyPath(params['path']);
    const data = dataParameter(request);
    const expected = expectedVersion(request.body);
    const written = await kv.change(request.mount.id, path, request.now, (change) => {
      const { key = { ...noSettings, currentVersion: 0 }, engine } = change;
      checkAndSet(expected, key.currentVersion, casRequired(key, engine));
      return change.addVersion(data);
    });
    return { data: new JsonText(versionWire(written)) };
  };
}
