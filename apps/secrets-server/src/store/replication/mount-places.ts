import { withParameters } from '@gatehouse/service-kit/store';
import type { Place } from '../../core/backend.ts';
import type { SecretsStore } from '../database.ts';
import type { Value } from './replication-store.ts';

/** Finds where mounts are, by their UUIDs, each once; undefined for one that is gone. */
export function mountPlaces(store: SecretsStore): (uuid: Value) => Required<Place> | undefined {
  const query = store.build
    .selectFrom('mount')
    .select(['namespace', 'path as mount'])
    .where('uuid', '=', '')
    .compile();
  const places = new Map<Value, Required<Place> | undefined>();
  return (uuid) => {
    if (!places.has(uuid)) places.set(uuid, store.get(withParameters(query, uuid)));
    return places.get(uuid);
  };
}
