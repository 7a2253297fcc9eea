/** Stored moves: their owner, their state, and their log. */
import type { MoveKind, MoveState, PauseReason } from '@gatehouse/api-types/console/move-values';
import { type MoveChoice, moveChoice } from '@gatehouse/api-types/console/moves';
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool, type UpdateObject } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#store/database.ts';
import { changeIn } from '#store/lease.ts';
import type { MoveRow, Schema } from '#store/schema.ts';
import { inParts, partSize } from './in-parts.ts';
import { keptState } from './items.ts';
import { isOpen } from './open-version.ts';

/** A new move. */
export interface NewMove {
  readonly environment: string;
  readonly kind: MoveKind;
  readonly personId: string;
  readonly personName: string;
  /** The source's, without a trailing slash. */
  readonly address: string;
  readonly wanted: readonly string[];
}

export interface MoveLine {
  readonly at: number;
  readonly item: string | null;
  readonly text: string;
  readonly failed: boolean;
}

export type Moves = ReturnType<typeof createMoves>;

/** Columns of lists. */
const listed = [
  'id',
  'environment',
  'revision',
  'kind',
  'state',
  'pause_reason',
  'pause_detail',
  'pause_while',
  'waits_until',
  'address',
  'sealed_source',
  'used_token',
  'person_id',
  'person_name',
  'pass',
  'planned_at',
  'created_at',
  'updated_at',
] as const satisfies (keyof MoveRow)[];
export type ListedMove = Pick<MoveRow, (typeof listed)[number]>;

/** How a move rests. */
export type RestingState =
  | { readonly state: 'planned' | 'done' | 'abandoned' }
  | { readonly state: 'paused'; readonly reason: PauseReason; readonly detail: string };

/** Most running moves of one account, ended moves of one account, and moves of one list. */
export const moveLimit = 100;
/** Number of items, versions and pieces of an account's moves from which no new move is started. */
export const rowLimit = 1_000_000;
const logLimit = 200;
/** How long an ended move is kept after its last change, in milliseconds. */
const keptFor = 365 * 24 * 3_600_000;
const ended = ['done', 'abandoned'] as const;
/** Prefixes of IDs, which show the kind. */
const kindMarks = { boxes: 'mv_b', modules: 'mv_m' } as const satisfies Record<MoveKind, string>;

/** The kind of a move, from its ID. */
export function kindOf(id: string): MoveKind {
  return id.startsWith(kindMarks.modules) ? 'modules' : 'boxes';
}

/** The initial choice. */
export const everything: MoveChoice = {
  items: { kind: 'all-but', ids: [] },
  versions: { kind: 'all' },
  providers: null,
  architectures: null,
  owners: [],
  links: 'keep',
  privacy: 'as-there',
};

const noTokens = {
  sealed_source: null,
  session_id: null,
  token_id: null,
  sealed_token: null,
  worker: null,
  lease_until: 0,
  waits_until: null,
} as const;

const nothingWaits = sql<SqlBool>`not exists (select 1 from move_piece as p where p.move_id = move.id and p.state in ('waiting', 'copying'))
  and not exists (select 1 from move_version as v where v.move_id = move.id and ${isOpen('v')})`;

export function createMoves(database: Database, clock: Clock) {
  const { build } = database;
  let lines = 0;
  const set = (
    id: string,
    from: readonly MoveState[],
    to: UpdateObject<Schema, 'move'>,
    worker?: string | null,
    only?: RawBuilder<SqlBool>,
  ): Promise<boolean> => changeIn({ database, clock }, 'move', { id, from, worker, only }, to);
  /** Deletes an ended move in parts. It counts as abandoned from the first one, so that nothing continues the rest. */
  const remove = async (id: string): Promise<void> => {
    const mark = build.updateTable('move').set({ state: 'abandoned' }).where('id', '=', id);
    if ((await database.run(mark.where('state', 'in', [...ended]).compile())) === 0) return;
    for (const table of ['move_piece', 'move_event', 'move_version', 'move_item'] as const) {
      const part = build.selectFrom(table).select('id').where('move_id', '=', id).limit(partSize);
      const query = build.deleteFrom(table).where('move_id', '=', id).where('id', 'in', part).compile();
      await inParts(() => database.run(query));
    }
    await database.run(build.deleteFrom('move').where('id', '=', id).compile());
  };
  const choiceOf = async (id: string): Promise<MoveChoice> => {
    const choice = build.selectFrom('move_text').select('choice').where('move_id', '=', id);
    const text = (await database.get(choice.compile()))?.choice;
    return text === undefined ? everything : z.parse(moveChoice, JSON.parse(text));
  };
  return {
    /** Stores a new move, which waits to be planned. */
    async create({ environment, kind, personId, personName, address, wanted }: NewMove): Promise<MoveRow> {
      const now = clock.now();
      const row: MoveRow = {
        id: `${kindMarks[kind]}${randomBase62(16)}`,
        environment,
        kind,
        // Until it has its tokens.
        state: 'paused',
        pause_reason: 'token-ended',
        pause_detail: "The move hasn't started. Resume it with your own tokens.",
        pause_while: 'planning',
        revision: 1,
        person_id: personId,
        person_name: personName,
        address,
        used_token: 0,
        username: null,
        request_id: '',
        expanded: 0,
        unapplied: 0,
        pass: 1,
        planned_at: null,
        created_at: now,
        updated_at: now,
        ...noTokens,
      };
      const text = { move_id: row.id, choice: JSON.stringify(everything), wanted: JSON.stringify(wanted) };
      await database.batch([
        build.insertInto('move').values(row).compile(),
        build.insertInto('move_text').values(text).compile(),
      ]);
      return row;
    },
    find: (id: string): Promise<MoveRow | undefined> =>
      database.get(build.selectFrom('move').selectAll().where('id', '=', id).compile()),
    choice: choiceOf,
    /** The names that a move was created for. */
    async wanted(id: string): Promise<readonly string[]> {
      const wanted = build.selectFrom('move_text').select('wanted').where('move_id', '=', id);
      return z.parse(z.array(z.string()), JSON.parse((await database.get(wanted.compile()))?.wanted ?? '[]'));
    },
    /** The newest 100 running or ended moves, newest first. */
    async list(
      environment: string,
      kinds: readonly MoveKind[],
      isEnded: boolean,
    ): Promise<readonly ListedMove[]> {
      if (kinds.length === 0) return [];
      return database.all(
        build
          .selectFrom('move')
          .select(listed)
          .where('environment', '=', environment)
          .where('kind', 'in', [...kinds])
          .where('state', isEnded ? 'in' : 'not in', [...ended])
          .orderBy('created_at', 'desc')
          .limit(moveLimit)
          .compile(),
      );
    },
    /** The number of running moves of these users, in all environments. */
    async countOf(personIds: readonly string[]): Promise<number> {
      const row = await database.get(
        build
          .selectFrom('move')
          .select(sql<number>`count(*)`.as('count'))
          .where('person_id', 'in', [...personIds])
          .where('state', 'not in', [...ended])
          .compile(),
      );
      return row?.count ?? 0;
    },
    /** Deletes the oldest abandoned move of these users. @returns whether one existed */
    async forgetAbandoned(personIds: readonly string[]): Promise<boolean> {
      const oldest = await database.get(
        build
          .selectFrom('move')
          .select('id')
          .where('person_id', 'in', [...personIds])
          .where('state', '=', 'abandoned')
          .orderBy('updated_at')
          .limit(1)
          .compile(),
      );
      if (oldest !== undefined) await remove(oldest.id);
      return oldest !== undefined;
    },
    /** Deletes the oldest ended move of an account's users if they have as many as are kept. */
    async forgetEnded(personIds: readonly string[]): Promise<void> {
      const oldest = await database.get(
        build
          .selectFrom('move')
          .select('id')
          .where('person_id', 'in', [...personIds])
          .where('state', 'in', [...ended])
          .orderBy('updated_at', 'desc')
          .limit(1)
          .offset(moveLimit - 1)
          .compile(),
      );
      if (oldest !== undefined) await remove(oldest.id);
    },
    /**
     * Changes a move that is in one of these states.
     * @param worker the process that must have the move, if the change is part of its work
     * @param only a further condition
     * @returns whether the move was changed
     */
    change: set,
    /**
     * Changes the owner of a move that is in one of these states. Its items, the choice of them, its log and its pieces,
     * except kept ones, are deleted in the same transaction, because the former owner's tokens showed them.
     * @param only a further condition
     * @param keep statements of that transaction, which run before the deletions; each must require `isTaken`
     * @returns whether the move was in one of these states
     */
    takeOver: async (
      id: string,
      from: readonly MoveState[],
      to: Partial<MoveRow> & Pick<MoveRow, 'sealed_token'>,
      only: RawBuilder<SqlBool>,
      keep: (isTaken: RawBuilder<SqlBool>) => readonly CompiledQuery[],
    ): Promise<boolean> => {
      // No other row has this text, because each encryption has a random nonce.
      const isTaken = sql<SqlBool>`exists (select 1 from move where id = ${id} and sealed_token = ${to.sealed_token})`;
      const choice = JSON.stringify({ ...(await choiceOf(id)), items: everything.items });
      return changeIn({ database, clock }, 'move', { id, from, only }, to, [
        ...keep(isTaken),
        build.updateTable('move_text').set({ choice }).where('move_id', '=', id).where(isTaken).compile(),
        build
          .deleteFrom('move_piece')
          .where('move_id', '=', id)
          .where('state', '<>', keptState)
          .where(isTaken)
          .compile(),
        ...(['move_event', 'move_version', 'move_item'] as const).map((table) =>
          build.deleteFrom(table).where('move_id', '=', id).where(isTaken).compile(),
        ),
      ]);
    },
    /** Counts a change of the plan or the choice. */
    async countChange(id: string): Promise<void> {
      await database.run(
        build
          .updateTable('move')
          .set({ revision: sql`revision + 1`, updated_at: clock.now() })
          .where('id', '=', id)
          .compile(),
      );
    },
    /**
     * Lets a move rest, and deletes its tokens. A move with pieces that are retried isn't done. Otherwise like
     * `change`.
     */
    rest: (
      id: string,
      from: readonly MoveState[],
      to: RestingState,
      worker?: string | null,
    ): Promise<boolean> =>
      set(
        id,
        from,
        {
          ...noTokens,
          state: to.state,
          pause_reason: to.state === 'paused' ? to.reason : null,
          pause_detail: to.state === 'paused' ? to.detail : null,
          pause_while: to.state === 'paused' ? sql`state` : null,
        },
        worker,
        to.state === 'done' ? nothingWaits : undefined,
      ),
    /** Adds a line to the move's log, which keeps the newest 200. */
    async log(
      id: string,
      text: string,
      { item = null, failed = false }: { item?: string | null; failed?: boolean } = {},
    ): Promise<void> {
      const at = clock.now();
      lines += 1;
      const lineId = `${String(at).padStart(15, '0')}-${String(lines).padStart(9, '0')}-${randomBase62(4)}`;
      await database.run(
        build
          .insertInto('move_event')
          .values({ move_id: id, id: lineId, at, item, text, failed: failed ? 1 : 0 })
          .compile(),
      );
      const oldest = build
        .selectFrom('move_event')
        .select('id')
        .where('move_id', '=', id)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(logLimit);
      await database.run(
        build.deleteFrom('move_event').where('move_id', '=', id).where('id', '<=', oldest).compile(),
      );
    },
    /** The lines, newest first. */
    async readLog(id: string): Promise<readonly MoveLine[]> {
      const rows = await database.all(
        build
          .selectFrom('move_event')
          .selectAll()
          .where('move_id', '=', id)
          .orderBy('id', 'desc')
          .limit(logLimit)
          .compile(),
      );
      return rows.map(({ at, item, text, failed }) => ({ at, item, text, failed: failed !== 0 }));
    },
    /** Deletes moves that ended long ago. */
    async sweep(): Promise<void> {
      const before = clock.now() - keptFor;
      const old = await database.all(
        build
          .selectFrom('move')
          .select('id')
          .where('state', 'in', [...ended])
          .where('updated_at', '<', before)
          .limit(moveLimit)
          .compile(),
      );
      for (const { id } of old) await remove(id);
    },
  };
}
