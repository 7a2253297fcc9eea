import type { Handler } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { versionParameter } from './parameters.ts';
import { versionWire } from './wire.ts';

/** Reads a version of a secret, the current one unless `version` says. Of a deleted one it tells the metadata with 404. */
export function readSecret(kv: KvStore): Handler {
  return (request, { path = '' }) => {
    const found = kv.read(request.mount.id, path, versionParameter(request), request.now);
    if (found === undefined) return undefined;
    return {
      status: found.data === null ? 404 : 200,
      data: new JsonText(`{"data":${found.data ?? 'null'},"metadata":${versionWire(found)}}`),
    };
  };
}
