import { withParameters } from '@gatehouse/service-kit/store';
import type { Place } from '#core/backend.ts';
import type { SecretsReader } from '../../database.ts';
import type { Value } from '../replication-store.ts';
import { tableOf } from '../tables.ts';

/** Finds the place of a mount by its UUID. */
export type MountPlaces = (uuid: Value) => Required<Place> | undefined;

/** Returns a function that queries each mount once; the result is undefined for a missing or retired mount. */
export function mountPlaces(reader: SecretsReader): MountPlaces {
  const query = reader.build
    .selectFrom('mount')
    .select(['namespace', 'path as mount'])
    .where('uuid', '=', '')
    .where('retired', '=', 0)
    .compile();
  const places = new Map<Value, Required<Place> | undefined>();
  return (uuid) => {
    if (!places.has(uuid)) {
      const found = reader.get(withParameters(query, uuid, 0));
      places.set(uuid, found && { ...found, mount: formerPath(found.mount) });
    }
    return places.get(uuid);
  };
}

/** An unreachable path for a mount whose path another mount takes, or which is retired. */
export function asidePath({ uuid, path }: { readonly uuid: string; readonly path: string }): string {
  return path.startsWith('\0') ? path : `\0${uuid}\0${path}`;
}

/** The path before `asidePath`. */
function formerPath(path: string): string {
  return path.startsWith('\0') ? path.slice(path.indexOf('\0', 1) + 1) : path;
}

/** The part of a record that determines its place. */
interface Placed {
  readonly table: string;
  readonly key: readonly Value[];
  readonly values: readonly unknown[] | null;
}

/** The place of a record for filters; undefined if its mount no longer exists. */
export function placeOf({ table, key, values }: Placed, mountOf: MountPlaces): Place | undefined {
  if (table === 'mount')
    return values === null ? mountOf(key[0] ?? null) : { namespace: text(values[0]), mount: text(values[1]) };
  if (tableOf.get(table)?.parent !== 'none') return mountOf(key[0] ?? null);
  return { namespace: table === 'policy' || table === 'namespace' ? text(key[0]) : '' };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
