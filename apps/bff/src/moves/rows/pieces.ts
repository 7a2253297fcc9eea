/** The images or archives of a move while they are copied, one after another. */
import type { PieceState } from '@gatehouse/api-types/console/move-values';
import type { Clock } from '@gatehouse/service-kit/clock';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#store/database.ts';
import type { MoveItemRow, MovePieceRow, MoveVersionRow } from '#store/schema.ts';
import { pieceKey } from '../plan/planned.ts';
import type { Addresses } from './addresses.ts';
import { keptKey, keptState } from './items.ts';
import { isOpen } from './open-version.ts';

/** What became of a piece. */
export interface Outcome {
  readonly state: Extract<PieceState, 'copied' | 'linked' | 'here' | 'clash' | 'not-copied' | 'failed'>;
  /** Why, in a sentence; empty where the state says it all. */
  readonly detail: string;
  /** Of what was received, in hexadecimal; empty of what was not. */
  readonly sha256: string;
}

export interface PieceAt {
  readonly piece: MovePieceRow;
  readonly version: MoveVersionRow;
  readonly item: MoveItemRow;
}

/** What became of the pieces of a version. */
export interface VersionLeft {
  readonly all: number;
  /** That wait, or are being copied. */
  readonly going: number;
  /** That can be used here. */
  readonly usable: number;
}

/** What is copied by an operation that begins to copy, beside what is copied already. */
export interface Begun {
  /** Whether the move rests: then it begins with all that is chosen and missing. */
  readonly rests: boolean;
  /** What failed is tried again: of this item, or of all where it is null. */
  readonly failed?: { readonly item: string | null };
}

export type Pieces = ReturnType<typeof createPieces>;

/** How long a part of a piece is kept while its move rests, in milliseconds: as long as an upload that nobody continues. */
const keptFor = 7 * 24 * 3_600_000;
const expiredAtOnce = 1_000;

/** @param worker the process that changes them: what it changes of a move that another one has is refused with an Error */
export function createPieces(database: Database, clock: Clock, addresses: Addresses, worker?: string) {
  const { build } = database;
  const isHeld = (table: 'move_item' | 'move_piece' | 'move_version'): RawBuilder<SqlBool> =>
    worker === undefined
      ? sql<SqlBool>`1 = 1`
      : sql<SqlBool>`exists (select 1 from move as m where m.id = ${sql.ref(`${table}.move_id`)} and m.worker = ${worker})`;
  const change = async (query: CompiledQuery): Promise<void> => {
    if ((await database.run(query)) === 0 && worker !== undefined)
      throw new Error('the move was stopped, or taken by another process');
  };
  const set = (id: string, to: Partial<MovePieceRow>): Promise<void> =>
    change(
      build
        .updateTable('move_piece')
        .set({ ...to, updated_at: clock.now() })
        .where('id', '=', id)
        .where(isHeld('move_piece'))
        .compile(),
    );
  const itemAndVersion = async (itemId: string, versionId: string) => {
    const [item, version] = await Promise.all([
      database.get(build.selectFrom('move_item').selectAll().where('id', '=', itemId).compile()),
      database.get(build.selectFrom('move_version').selectAll().where('id', '=', versionId).compile()),
    ]);
    return item === undefined || version === undefined ? undefined : { item, version };
  };
  return {
    /**
     * What was chosen waits to be copied, and what is half copied with it: of this process's move, or of one that rests. What
     * another one is copying since stays as it is.
     * @param failed what failed waits instead: of this item, or of all where it is null
     * @returns of what failed: whether the move is being copied, and takes it up before it is done
     */
    async wait(moveId: string, failed?: { readonly item: string | null }): Promise<boolean> {
      let again = build
        .updateTable('move_piece')
        .set({ state: 'waiting', detail: '', attempts: 0, updated_at: clock.now() })
        .where('move_id', '=', moveId)
        .where('state', '=', 'failed');
      let versions = build
        .updateTable('move_version')
        .set({ phase: 'open' })
        .where('move_id', '=', moveId)
        .where('phase', '=', 'failed');
      if (failed?.item !== undefined && failed.item !== null) {
        again = again.where('item_id', '=', failed.item);
        versions = versions.where('item_id', '=', failed.item);
      }
      const begun = build
        .updateTable('move_piece')
        .set({ state: 'waiting', detail: '', attempts: 0, updated_at: clock.now() })
        .where('move_id', '=', moveId)
        .where('state', 'in', ['missing', 'copying'])
        .where(
          worker === undefined
            ? sql<SqlBool>`exists (select 1 from move as m where m.id = move_piece.move_id and m.state = 'paused')`
            : isHeld('move_piece'),
        )
        .compile();
      // A move that becomes done at the same time does so before this, or not.
      const copying = build
        .updateTable('move')
        .set({ updated_at: clock.now() })
        .where('id', '=', moveId)
        .where('state', '=', 'copying')
        .compile();
      // What is being copied while something else is tried again is left alone.
      const queries = failed === undefined ? [begun] : [copying, again.compile(), versions.compile()];
      return (await database.batch(queries))[0] === 1;
    },
    /** How many versions that are released here get something of it. */
    async joinedReleases(moveId: string, begun: Begun): Promise<number> {
      const query = build.selectFrom('move_version').select(sql<number>`count(*)`.as('count'));
      return (await database.get(query.where(joins(moveId, begun)).compile()))?.count ?? 0;
    },
    /** Notes that these versions may get it. */
    async agree(moveId: string, begun: Begun): Promise<void> {
      await database.run(
        build.updateTable('move_version').set({ agreed: 1 }).where(joins(moveId, begun)).compile(),
      );
    },
    async isWaiting(moveId: string): Promise<boolean> {
      const found = await database.get(
        build
          .selectFrom('move_piece')
          .select('id')
          .where('move_id', '=', moveId)
          .where('state', '=', 'waiting')
          .limit(1)
          .compile(),
      );
      return found !== undefined;
    },
    /** The next one that waits, which is being copied from now on: newest releases first. */
    async take(moveId: string): Promise<PieceAt | undefined> {
      const piece = await database.get(
        build
          .selectFrom('move_piece')
          .selectAll()
          .where('move_id', '=', moveId)
          .where('state', '=', 'waiting')
          .orderBy('priority')
          .orderBy('item_id')
          .orderBy('place')
          .limit(1)
          .compile(),
      );
      if (piece === undefined) return undefined;
      const around = await itemAndVersion(piece.item_id, piece.version_id);
      if (around === undefined) return undefined;
      await set(piece.id, { state: 'copying' });
      return { piece: addresses.opened(piece), ...around };
    },
    /** Notes how much is in the spool for certain. */
    received: (
      id: string,
      {
        received,
        size,
        validator,
        attempts,
      }: Pick<MovePieceRow, 'received' | 'size' | 'validator'> & { readonly attempts?: number },
    ): Promise<void> => set(id, { received, size, validator, ...(attempts !== undefined && { attempts }) }),
    /** How often it failed since it last got on. */
    async attemptsOf({ id, attempts }: Pick<MovePieceRow, 'id' | 'attempts'>): Promise<number> {
      const now = await database.get(
        build.selectFrom('move_piece').select('attempts').where('id', '=', id).compile(),
      );
      return now?.attempts ?? attempts;
    },
    /** It waits again. */
    back: (id: string, attempts: number): Promise<void> => set(id, { state: 'waiting', attempts }),
    /** It is tried again after a pause: until then it counts as being copied. */
    failedOnce: (id: string, attempts: number, detail: string): Promise<void> =>
      set(id, { attempts, detail }),
    settle: (id: string, { state, detail, sha256 }: Outcome): Promise<void> =>
      set(id, { state, detail, received: 0, validator: '', ...(sha256 !== '' && { sha256 }) }),
    async leftOf(versionId: string): Promise<VersionLeft> {
      const rows = await database.all(
        build
          .selectFrom('move_piece')
          .select(['state', sql<number>`count(*)`.as('count')])
          .where('version_id', '=', versionId)
          .groupBy('state')
          .compile(),
      );
      const sum = (...states: readonly string[]): number =>
        rows.reduce((total, { state, count }) => total + (states.includes(state) ? count : 0), 0);
      return {
        all: rows.reduce((total, { count }) => total + count, 0),
        going: sum('missing', 'waiting', 'copying'),
        usable: sum('here', 'copied', 'linked'),
      };
    },
    /** The images of a version that are the move's, or the same as its own; not those that others have here. */
    ownOf: (versionId: string): Promise<readonly Pick<MovePieceRow, 'provider' | 'architecture'>[]> =>
      database.all(
        build
          .selectFrom('move_piece')
          .select(['provider', 'architecture'])
          .where('version_id', '=', versionId)
          .where('state', 'in', ['here', 'copied', 'linked', 'failed'])
          .compile(),
      ),
    /** A version as it is kept now. */
    version: (id: string): Promise<MoveVersionRow | undefined> =>
      database.get(build.selectFrom('move_version').selectAll().where('id', '=', id).compile()),
    /** A version that is open. */
    async nextOpen(moveId: string, busy: readonly string[]): Promise<Omit<PieceAt, 'piece'> | undefined> {
      let query = build
        .selectFrom('move_version')
        .select(['id', 'item_id'])
        .where('move_id', '=', moveId)
        .where(isOpen('move_version'))
        .orderBy('priority');
      if (busy.length > 0) query = query.where('id', 'not in', [...busy]);
      const found = await database.get(query.limit(1).compile());
      return found && itemAndVersion(found.item_id, found.id);
    },
    finish: ({ id }: MoveVersionRow, to: Partial<MoveVersionRow>): Promise<void> =>
      change(
        build
          .updateTable('move_version')
          .set(to)
          .where('id', '=', id)
          .where(isHeld('move_version'))
          .compile(),
      ),
    /** Notes that the newest release of an item can be used here. */
    usable: (itemId: string): Promise<void> =>
      change(
        build
          .updateTable('move_item')
          .set({ usable: 1 })
          .where('id', '=', itemId)
          .where(isHeld('move_item'))
          .compile(),
      ),
    /** Notes what went wrong with an item itself. */
    problem: (
      itemId: string,
      { code, detail }: { readonly code: string; readonly detail: string },
    ): Promise<void> =>
      change(
        build
          .updateTable('move_item')
          .set({ problem_code: code, problem_detail: detail })
          .where('id', '=', itemId)
          .where(isHeld('move_item'))
          .compile(),
      ),
    /** Nothing of the move is on its way any more. @returns whose bytes were in the spool */
    async drop(moveId: string): Promise<readonly string[]> {
      const rows = await database.all(
        build
          .selectFrom('move_piece')
          .select('id')
          .where('move_id', '=', moveId)
          .where('state', 'in', ['missing', 'waiting', 'copying', 'left-out', keptState])
          .where('received', '>', 0)
          .compile(),
      );
      await database.batch([
        build
          .updateTable('move_piece')
          .set({ state: 'missing', received: 0, validator: '' })
          .where('move_id', '=', moveId)
          .where('state', 'in', ['waiting', 'copying'])
          .compile(),
        build
          .updateTable('move_piece')
          .set({ received: 0, validator: '' })
          .where('move_id', '=', moveId)
          .where('received', '>', 0)
          .compile(),
      ]);
      return rows.map(({ id }) => id);
    },
    /** IDs of the move's pieces that have bytes in the spool. */
    async spooled(moveId: string): Promise<readonly string[]> {
      const rows = await database.all(
        build
          .selectFrom('move_piece')
          .select('id')
          .where('move_id', '=', moveId)
          .where('received', '>', 0)
          .compile(),
      );
      return rows.map(({ id }) => id);
    },
    /**
     * Prepares to keep received bytes for the next owner of the move, out of everybody's sight: `keptState`. None is kept
     * whole.
     * @returns the statements, which change pieces only if a condition holds
     */
    async keeping(moveId: string): Promise<(only: RawBuilder<SqlBool>) => readonly CompiledQuery[]> {
      const rows = await database.all(
        build
          .selectFrom('move_piece as p')
          .innerJoin('move_version as v', 'v.id', 'p.version_id')
          .innerJoin('move_item as i', 'i.id', 'p.item_id')
          .select(['p.id', 'p.provider', 'p.architecture', 'p.received', 'p.size', 'v.version', 'i.name'])
          .where('p.move_id', '=', moveId)
          .where('p.received', '>', 0)
          .compile(),
      );
      return (only) =>
        rows.map(({ id, provider, architecture, received, size, version, name }) =>
          build
            .updateTable('move_piece')
            .set({
              state: keptState,
              // Its last byte is requested with the next owner's token, which must give access to the image.
              received: size === null ? received : Math.min(received, size - 1),
              item_id: '',
              version_id: keptKey(name, pieceKey(version, provider, architecture)),
              provider: '',
              architecture: '',
              detail: '',
              plan_detail: '',
            })
            .where('id', '=', id)
            .where(only)
            .compile(),
        );
    },
    /** Lets go of what was kept so and is not in the plan. @returns whose bytes were in the spool */
    async dropKept(moveId: string): Promise<readonly string[]> {
      const isKept = sql<SqlBool>`move_id = ${moveId} and state = ${keptState}`;
      const rows = await database.all(build.selectFrom('move_piece').select('id').where(isKept).compile());
      if (rows.length > 0) await database.run(build.deleteFrom('move_piece').where(isKept).compile());
      return rows.map(({ id }) => id);
    },
    /** Lets go of what moves at rest received long ago, and of what is left of abandoned ones. @returns whose bytes were in the spool */
    async expire(): Promise<readonly string[]> {
      const old = await database.all(
        build
          .selectFrom('move_piece')
          .innerJoin('move', 'move.id', 'move_piece.move_id')
          .select('move_piece.id')
          .where(sql<SqlBool>`move_piece.received > 0`)
          .where((eb) =>
            eb.or([
              eb.and([
                eb('move_piece.updated_at', '<=', clock.now() - keptFor),
                eb('move.state', 'not in', ['planning', 'copying']),
              ]),
              eb('move.state', '=', 'abandoned'),
            ]),
          )
          .limit(expiredAtOnce)
          .compile(),
      );
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) {
        await database.run(
          build
            .updateTable('move_piece')
            .set({ received: 0, validator: '' })
            .where('id', 'in', ids)
            .compile(),
        );
      }
      return ids;
    },
    /** Whose bytes lie in the spool, or are just being received by another console. */
    async inSpool(): Promise<readonly string[]> {
      const rows = await database.all(
        build
          .selectFrom('move_piece')
          .select('id')
          .where(sql<SqlBool>`(received > 0 or state = 'copying')`)
          .compile(),
      );
      return rows.map(({ id }) => id);
    },
  };
}

/** Versions that are released here, and that what is begun adds to. */
function joins(moveId: string, { rests, failed }: Begun): RawBuilder<SqlBool> {
  const states = [
    ...(rests ? ['missing', 'waiting', 'copying'] : []),
    ...(failed?.item === null ? ['failed'] : []),
  ];
  const isBegun = [
    ...(states.length === 0 ? [] : [sql`p.state in (${sql.join(states)})`]),
    ...(typeof failed?.item === 'string' ? [sql`(p.state = 'failed' and p.item_id = ${failed.item})`] : []),
  ];
  return sql<SqlBool>`move_id = ${moveId} and status_here = 'active' and exists (
    select 1 from move_piece as p where p.version_id = move_version.id and (${sql.join(isBegun, sql` or `)}))`;
}
