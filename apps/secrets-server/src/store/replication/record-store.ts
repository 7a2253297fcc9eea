import type { Barrier } from '../barrier.ts';
import type { SecretsStore } from '../database.ts';

/** What happened to this cluster's part in replication, as it is kept. */
export interface KeptEvent {
  readonly id: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: unknown;
}

/** What a cluster knows of its part in replication, sealed. None of it is replicated. */
export interface ReplicationRecords {
  read(name: string): unknown;
  save(name: string, value: unknown): Promise<void>;
  remove(name: string): Promise<void>;
  /** What is known of the clusters that were activated, by id. */
  secondaries(): ReadonlyMap<string, unknown>;
  /** @param replaced ids of those that are removed in the same transaction; none unless given */
  saveSecondary(id: string, value: unknown, replaced?: readonly string[]): Promise<void>;
  removeSecondary(id: string): Promise<void>;
  /** Forgets all clusters that were activated, and what is sent to each. @param prefix of the names of the latter */
  removeSecondaries(prefix: string): Promise<void>;
  /** Forgets everything but the events. */
  clear(): Promise<void>;
  addEvent(time: number, event: unknown): Promise<void>;
  /** Newest first. */
  events(): KeptEvent[];
}

/** Most events that are kept. */
const mostEvents = 1000;

/** The records of a store. */
export function replicationRecords(store: SecretsStore, barrier: Barrier): ReplicationRecords {
  const { build } = store;
  const seal = (value: unknown, place: string): Buffer => barrier.seal(JSON.stringify(value), place);
  const open = (sealed: Uint8Array, place: string): unknown =>
    JSON.parse(barrier.open(sealed, place).toString('utf8'));
  const placeOfState = (name: string): string => `replication_state/${name}`;
  const placeOfSecondary = (id: string): string => `replication_secondary/${id}`;
  const placeOfEvent = (time: number): string => `replication_event/${time}`;

  return {
    read(name) {
      const query = build.selectFrom('replication_state').select('sealed').where('name', '=', name);
      const row = store.get(query.compile());
      return row === undefined ? undefined : open(row.sealed, placeOfState(name));
    },
    async save(name, value) {
      const sealed = seal(value, placeOfState(name));
      const query = build
        .insertInto('replication_state')
        .values({ name, sealed })
        .onConflict((row) => row.column('name').doUpdateSet({ sealed }))
        .compile();
      await store.write((tx) => tx.run(query));
    },
    async remove(name) {
      const query = build.deleteFrom('replication_state').where('name', '=', name).compile();
      await store.write((tx) => tx.run(query));
    },
    secondaries: () =>
      new Map(
        store
          .all(build.selectFrom('replication_secondary').selectAll().orderBy('id').compile())
          .map(({ id, sealed }) => [id, open(sealed, placeOfSecondary(id))]),
      ),
    async saveSecondary(id, value, replaced = []) {
      const sealed = seal(value, placeOfSecondary(id));
      const query = build
        .insertInto('replication_secondary')
        .values({ id, sealed })
        .onConflict((row) => row.column('id').doUpdateSet({ sealed }))
        .compile();
      await store.write((tx) => {
        tx.run(query);
        for (const other of replaced)
          tx.run(build.deleteFrom('replication_secondary').where('id', '=', other).compile());
      });
    },
    async removeSecondary(id) {
      const query = build.deleteFrom('replication_secondary').where('id', '=', id).compile();
      await store.write((tx) => tx.run(query));
    },
    async removeSecondaries(prefix) {
      const sent = build
        .deleteFrom('replication_state')
        .where('name', '>=', prefix)
        .where('name', '<', `${prefix}\u{10ffff}`)
        .compile();
      await store.write((tx) => {
        tx.run(build.deleteFrom('replication_secondary').compile());
        tx.run(sent);
      });
    },
    async clear() {
      await store.write((tx) => {
        tx.run(build.deleteFrom('replication_state').compile());
        tx.run(build.deleteFrom('replication_secondary').compile());
      });
    },
    async addEvent(time, event) {
      const sealed = seal(event, placeOfEvent(time));
      await store.write((tx) => {
        const row = tx.get(
          build.insertInto('replication_event').values({ time, sealed }).returning('id').compile(),
        );
        const oldest = (row?.id ?? 0) - mostEvents;
        tx.run(build.deleteFrom('replication_event').where('id', '<=', oldest).compile());
      });
    },
    events: () =>
      store
        .all(build.selectFrom('replication_event').selectAll().orderBy('id', 'desc').compile())
        .map(({ id, time, sealed }) => ({ id, time, event: open(sealed, placeOfEvent(time)) })),
  };
}
