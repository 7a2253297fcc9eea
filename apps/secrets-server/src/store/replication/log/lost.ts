import { withParameters } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { SecretsStore, SecretsWriter, SecretsReader } from '../../database.ts';
import { mountPlaces } from '../receive/mount-places.ts';
import type { LostPage, LostWrite, Value } from '../replication-store.ts';
import { tableOf } from '../tables.ts';
import { namedChanges } from './entry-codec.ts';
import { type KeptEntry, storedSecrets } from './log.ts';

/** The lost writes of this cluster: those that its new primary never had. Their values stay sealed. */
export type LostWrites = ReturnType<typeof lostWrites>;

/** The maximum page size. */
const mostListed = 1000;

export function lostWrites(store: SecretsStore) {
  const { build } = store;
  const insert = build
    .insertInto('replication_lost')
    .values({
      found_time: 0,
      seq: 0,
      time: 0,
      records: '',
      changes: '',
      places: '',
      sealed: new Uint8Array(),
    })
    .compile();
  const total = sql<{ count: number }>`SELECT count(*) AS count FROM replication_lost`.compile(build);
  return {
    /** @param foundTime milliseconds since the epoch */
    add(tx: SecretsWriter, { seq, time, packed: { changes, secrets } }: KeptEntry, foundTime: number): void {
      const { places, sealed } = storedSecrets(secrets);
      const records = JSON.stringify(describe(tx, changes));
      tx.run(withParameters(insert, foundTime, seq, time, records, changes, places, sealed));
    },
    list({ before = Number.MAX_SAFE_INTEGER, limit = mostListed }: LostPage): readonly LostWrite[] {
      const query = build
        .selectFrom('replication_lost')
        .select(['id', 'found_time', 'seq', 'time', 'records'])
        .where('id', '<', before)
        .orderBy('id', 'desc')
        .limit(Math.min(limit, mostListed))
        .compile();
      return store.all(query).map(({ id, found_time: foundTime, seq, time, records }) => {
        return { id, foundTime, seq, time, records: JSON.parse(records) as readonly string[] };
      });
    },
    count: (): number => store.get(total)?.count ?? 0,
    /** Deletes lost writes up to an ID and returns their number. */
    purge: (tx: SecretsWriter, upTo: number): number =>
      tx.run(build.deleteFrom('replication_lost').where('id', '<=', upTo).compile()),
  };
}

/** Describes a write's changes for users: `secret/db version 3`. */
function describe(reader: SecretsReader, changes: string): string[] {
  const placeOf = mountPlaces(reader);
  const mountPath = (uuid: Value): string => {
    const place = placeOf(uuid);
    return place === undefined ? `(mount ${String(uuid)}) ` : `${place.namespace}${place.mount}`;
  };
  const named = namedChanges(changes);
  // A key changes with each of its versions, so only the version is named.
  const hasVersion = named.some(({ table }) => table === 'kv_version');
  return named.flatMap(({ table: name, key }) => {
    const table = tableOf.get(name);
    if (table === undefined || (name === 'kv_key' && hasVersion)) return [];
    if (name === 'mount') return [`mount ${mountPath(key[0] ?? null).trimEnd()}`];
    if (table.parent === 'none') return [table.title(key)];
    return [`${mountPath(key[0] ?? null)}${table.title(key.slice(1))}`];
  });
}
