import { randomBase62 } from '@gatehouse/service-kit/ids';
import { sql } from 'kysely';
import type { Selectable, SqlBool } from 'kysely';
import { badRequest } from '../../core/refusal.ts';
import type { Barrier } from '../barrier.ts';
import type { SecretsStore, SecretsWriter } from '../database.ts';
import type { CloudUndoTable } from './schema.ts';

/** What to undo at the provider. */
export type Undo =
  /** A user about to be created, with its keys and policies. */
  | { readonly kind: 'user'; readonly userName: string }
  /** A new key of the engine's own user, about to be created beside `oldKey`. */
  | { readonly kind: 'new root key'; readonly userName: string; readonly oldKey: string }
  /** A replaced key of the engine's own user. */
  | { readonly kind: 'old root key'; readonly userName: string; readonly key: string };

export interface NewUndo {
  readonly mountId: number;
  readonly undo: Undo;
  /** The origin of the credentials that create the object, as `originOf` returns it. */
  readonly origin: string;
}

/** A stored undo. */
export interface UndoRecord extends NewUndo {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly createdTime: number;
  /** The number of failed attempts. */
  readonly attempts: number;
}

/**
 * Records objects that are about to be created at the provider. If the process ends first, the record is found and the
 * object deleted. An object that is kept becomes a lease or a setting in the transaction that clears its record.
 */
export interface UndoStore {
  /**
   * @param time when the undo is due; until then only a crash makes it run
   * @throws Refusal 400 if the mount has 1,000
   */
  add(made: NewUndo, now: number, time: number): Promise<UndoRecord>;
  /** Like `add`, in an open transaction. */
  addIn(tx: SecretsWriter, made: NewUndo, now: number, time: number): UndoRecord;
  clearIn(tx: SecretsWriter, record: UndoRecord): void;
  has(record: UndoRecord): boolean;
  remove(record: UndoRecord): Promise<void>;
  /** Postpones the next attempt. @param attempts the number of failures so far */
  putOff(record: UndoRecord, attempts: number, nextAttemptTime: number): Promise<void>;
  /** The undos that are due, longest overdue first. @param held the number of undos already in progress */
  due(now: number, held: number): UndoRecord[];
  /** The undos of a mount: some thousand at most. */
  ofMount(mountId: number): UndoRecord[];
  hasOfMount(mountId: number): boolean;
  /** Removes a mount's undos. @param kept IDs of those that stay */
  removeOfMount(mountId: number, kept: readonly string[]): Promise<void>;
}

/** The maximum number of undos in one sweep. */
const sweepSize = 200;

/** The maximum number of a mount's undos. */
const mostUndos = 1_000;

export function undoStore(store: SecretsStore, barrier: Barrier): UndoStore {
  const { build } = store;
  const placeOf = (id: string): string => `cloud_undo/${id}`;
  const recordOf = (row: Selectable<CloudUndoTable>): UndoRecord => ({
    id: row.id,
    mountId: row.mount_id,
    ...(JSON.parse(barrier.open(row.sealed, placeOf(row.id)).toString('utf8')) as Pick<
      NewUndo,
      'undo' | 'origin'
    >),
    createdTime: row.created_time,
    attempts: row.attempts,
  });
  const insert = ({ mountId, undo, origin }: NewUndo, now: number, time: number) => {
    const id = randomBase62(20);
    const record: UndoRecord = { id, mountId, undo, origin, createdTime: now, attempts: 0 };
    const row: CloudUndoTable = {
      id,
      mount_id: mountId,
      sealed: barrier.seal(JSON.stringify({ undo, origin }), placeOf(id)),
      created_time: now,
      attempts: 0,
      next_attempt_time: time,
    };
    return { record, query: build.insertInto('cloud_undo').values(row).compile() };
  };
  const remove = ({ id }: UndoRecord) => build.deleteFrom('cloud_undo').where('id', '=', id).compile();

  return {
    async add(...asked) {
      const { record, query } = insert(...asked);
      const ofMount = build
        .selectFrom('cloud_undo')
        .select(({ fn }) => fn.countAll<number>().as('undos'))
        .where('mount_id', '=', record.mountId);
      await store.write((tx) => {
        if ((tx.get(ofMount.compile())?.undos ?? 0) >= mostUndos)
          throw badRequest(
            `this engine has ${mostUndos} objects at the provider that are still to be deleted. ` +
              'The server keeps trying. The engine creates others when some of these are deleted.',
          );
        tx.run(query);
      });
      return record;
    },
    addIn(tx, ...asked) {
      const { record, query } = insert(...asked);
      tx.run(query);
      return record;
    },
    clearIn(tx, record) {
      tx.run(remove(record));
    },
    has: ({ id }) =>
      store.get(build.selectFrom('cloud_undo').select('id').where('id', '=', id).compile()) !== undefined,
    async remove(record) {
      await store.write((tx) => tx.run(remove(record)));
    },
    async putOff({ id }, attempts, nextAttemptTime) {
      const set = { attempts, next_attempt_time: nextAttemptTime };
      const query = build.updateTable('cloud_undo').set(set).where('id', '=', id).compile();
      await store.write((tx) => tx.run(query));
    },
    due: (now, held) =>
      store
        .all(
          build
            .selectFrom('cloud_undo')
            .selectAll()
            .where('next_attempt_time', '<=', now)
            .orderBy('next_attempt_time')
            .limit(sweepSize + held)
            .compile(),
        )
        .map(recordOf),
    ofMount: (mountId) =>
      store
        .all(build.selectFrom('cloud_undo').selectAll().where('mount_id', '=', mountId).compile())
        .map(recordOf),
    hasOfMount: (mountId) =>
      store.get(
        build.selectFrom('cloud_undo').select('id').where('mount_id', '=', mountId).limit(1).compile(),
      ) !== undefined,
    async removeOfMount(mountId, kept) {
      const isOther = sql<SqlBool>`id NOT IN (SELECT value FROM json_each(${JSON.stringify(kept)}))`;
      const all = build.deleteFrom('cloud_undo').where('mount_id', '=', mountId);
      await store.write((tx) => tx.run(all.where(isOther).compile()));
    },
  };
}
