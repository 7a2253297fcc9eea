import type { SecretsReader } from '../../database.ts';
import { mountPlaces } from '../receive/mount-places.ts';
import type { Value } from '../replication-store.ts';
import { tableOf } from '../tables.ts';
import { namedChanges } from './entry-codec.ts';

/** Names what a write of the log changed, for people: `secret/db version 3`. */
export function describe(reader: SecretsReader, changes: string): string[] {
  const placeOf = mountPlaces(reader);
  const mountPath = (uuid: Value): string => {
    const place = placeOf(uuid);
    return place === undefined ? `(mount ${String(uuid)}) ` : `${place.namespace}${place.mount}`;
  };
  const named = namedChanges(changes);
  // A version says it all: the key that counts it is changed with each.
  const hasVersion = named.some(({ table }) => table === 'kv_version');
  return named.flatMap(({ table: name, key }) => {
    const table = tableOf.get(name);
    if (table === undefined || (name === 'kv_key' && hasVersion)) return [];
    if (name === 'mount') return [`mount ${mountPath(key[0] ?? null).trimEnd()}`];
    if (table.parent === 'none') return [table.title(key)];
    return [`${mountPath(key[0] ?? null)}${table.title(key.slice(1))}`];
  });
}
