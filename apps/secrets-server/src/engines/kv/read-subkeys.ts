import type { Handler } from '../../core/backend.ts';
import { JsonText } from '../../core/json/json-text.ts';
import { subkeys } from '../../domain/kv/subkeys.ts';
import type { KvStore } from '../../store/kv/kv-store.ts';
import { numberParameter, versionParameter } from './parameters.ts';
import { versionWire } from './wire.ts';

/** Reads the structure of a secret without its values, `depth` levels of it. */
export function readSubkeys(kv: KvStore): Handler {
  return (request, { path = '' }) => {
    const depth = numberParameter(request, 'depth');
    const found = kv.read(request.mount.id, path, versionParameter(request), request.now);
    if (found === undefined) return undefined;
    const structure = found.data === null ? 'null' : subkeys(found.data, depth);
    return {
      status: found.data === null ? 404 : 200,
      data: new JsonText(`{"metadata":${versionWire(found)},"subkeys":${structure}}`),
    };
  };
}
