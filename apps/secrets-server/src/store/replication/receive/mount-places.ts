import { withParameters } from '@gatehouse/service-kit/store';
import type { Place } from '#core/backend.ts';
import type { SecretsReader } from '../../database.ts';
import type { Value } from '../replication-store.ts';
import { tableOf } from '../tables.ts';

/** Finds where mounts are, by their UUIDs. */
export type MountPlaces = (uuid: Value) => Required<Place> | undefined;

/** Looks each mount up once; answers undefined for one that is gone, or stays aside for what it issued. */
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

/** A path at which no request arrives, for a mount whose own is taken by another or that only stays for what it issued. */
export function asidePath({ uuid, path }: { readonly uuid: string; readonly path: string }): string {
  return path.startsWith('\0') ? path : `\0${uuid}\0${path}`;
}

/** The path that a mount had before it was put aside. */
function formerPath(path: string): string {
  return path.startsWith('\0') ? path.slice(path.indexOf('\0', 1) + 1) : path;
}

/** What of a record says where it is. */
interface Placed {
  readonly table: string;
  readonly key: readonly Value[];
  readonly values: readonly unknown[] | null;
}

/** Where a record is, as filters see it; undefined for one that is part of no mount any more. */
export function placeOf({ table, key, values }: Placed, mountOf: MountPlaces): Place | undefined {
  if (table === 'mount')
    return values === null ? mountOf(key[0] ?? null) : { namespace: text(values[0]), mount: text(values[1]) };
  if (tableOf.get(table)?.parent !== 'none') return mountOf(key[0] ?? null);
  return { namespace: table === 'policy' || table === 'namespace' ? text(key[0]) : '' };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
