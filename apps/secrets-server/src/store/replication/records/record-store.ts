import type { Barrier } from '../../barrier.ts';
import type { SecretsStore, SecretsWriter } from '../../database.ts';

/** A stored event of this cluster's replication. */
export interface KeptEvent {
  readonly id: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
  readonly event: unknown;
}

/** The sealed replication state of a cluster, none of which is replicated. */
export type ReplicationRecords = ReturnType<typeof replicationRecords>;

export type EventKind = 'transition' | 'activation';

/** The maximum number of events of each kind. */
const mostEvents = 1000;

export function replicationRecords(store: SecretsStore, barrier: Barrier) {
  const { build } = store;
  const seal = (value: unknown, place: string): Buffer => barrier.seal(JSON.stringify(value), place);
  const open = (sealed: Uint8Array, place: string): unknown =>
    JSON.parse(barrier.open(sealed, place).toString('utf8'));
  const placeOfState = (name: string): string => `replication_state/${name}`;
  const placeOfSecondary = (id: string): string => `replication_secondary/${id}`;
  const placeOfEvent = (time: number): string => `replication_event/${time}`;
  const removeWithin = (tx: SecretsWriter, names: readonly string[]): void => {
    tx.run(build.deleteFrom('replication_state').where('name', 'in', names).compile());
  };

  return {
    read(name: string): unknown {
      const query = build.selectFrom('replication_state').select('sealed').where('name', '=', name);
      const row = store.get(query.compile());
      return row === undefined ? undefined : open(row.sealed, placeOfState(name));
    },
    /** @param also runs first, in the same transaction */
    async save(name: string, value: unknown, also?: (tx: SecretsWriter) => void): Promise<void> {
      const sealed = seal(value, placeOfState(name));
      const query = build
        .insertInto('replication_state')
        .values({ name, sealed })
        .onConflict((row) => row.column('name').doUpdateSet({ sealed }))
        .compile();
      await store.write((tx) => {
        also?.(tx);
        tx.run(query);
      });
    },
    async remove(...names: string[]): Promise<void> {
      await store.write((tx) => removeWithin(tx, names));
    },
    removeWithin,
    /** The data of activated clusters, by ID. */
    secondaries: (): ReadonlyMap<string, unknown> =>
      new Map(
        store
          .all(build.selectFrom('replication_secondary').selectAll().orderBy('id').compile())
          .map(({ id, sealed }) => [id, open(sealed, placeOfSecondary(id))]),
      ),
    async addSecondary(id: string, value: unknown): Promise<void> {
      const sealed = seal(value, placeOfSecondary(id));
      const query = build.insertInto('replication_secondary').values({ id, sealed }).compile();
      await store.write((tx) => tx.run(query));
    },
    /**
     * Changes a record unless it was removed in the meantime.
     * @param replaced IDs of records to delete in the same transaction; none by default
     * @returns whether it was changed
     */
    async saveSecondary(id: string, value: unknown, replaced: readonly string[] = []): Promise<boolean> {
      const sealed = seal(value, placeOfSecondary(id));
      const query = build.updateTable('replication_secondary').set({ sealed }).where('id', '=', id).compile();
      return store.write((tx) => {
        if (tx.run(query) === 0) return false;
        for (const other of replaced)
          tx.run(build.deleteFrom('replication_secondary').where('id', '=', other).compile());
        return true;
      });
    },
    async removeSecondary(id: string): Promise<void> {
      const query = build.deleteFrom('replication_secondary').where('id', '=', id).compile();
      await store.write((tx) => tx.run(query));
    },
    /** Deletes the records of all activated clusters, and the stored values whose names begin with `prefix`. */
    removeSecondaries(tx: SecretsWriter, prefix: string): void {
      const sent = build
        .deleteFrom('replication_state')
        .where('name', '>=', prefix)
        .where('name', '<', `${prefix}\u{10ffff}`)
        .compile();
      tx.run(build.deleteFrom('replication_secondary').compile());
      tx.run(sent);
    },
    /** Deletes everything except the events. */
    clear(tx: SecretsWriter): void {
      tx.run(build.deleteFrom('replication_state').compile());
      tx.run(build.deleteFrom('replication_secondary').compile());
    },
    /** @param kind the newest events of each kind are kept, so that frequent kinds don't displace rare ones */
    async addEvent(kind: EventKind, time: number, event: unknown): Promise<void> {
      const sealed = seal(event, placeOfEvent(time));
      const ofKind = build.selectFrom('replication_event').select('id').where('kind', '=', kind);
      const tooOld = ofKind.orderBy('id', 'desc').offset(mostEvents).limit(1);
      await store.write((tx) => {
        tx.run(build.insertInto('replication_event').values({ kind, time, sealed }).compile());
        const old = tx.get(tooOld.compile());
        if (old === undefined) return;
        const rows = build.deleteFrom('replication_event').where('kind', '=', kind);
        tx.run(rows.where('id', '<=', old.id).compile());
      });
    },
    /** Newest first. */
    events: (): KeptEvent[] =>
      store
        .all(build.selectFrom('replication_event').selectAll().orderBy('id', 'desc').compile())
        .map(({ id, time, sealed }) => ({ id, time, event: open(sealed, placeOfEvent(time)) })),
  };
}
