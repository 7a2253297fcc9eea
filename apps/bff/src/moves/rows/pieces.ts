/** Images or archives of a move while they are copied. */
import type { PieceState } from '@gatehouse/api-types/console/move-values';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#store/database.ts';
import type { MoveItemRow, MovePieceRow, MoveVersionRow } from '#store/schema.ts';
import { pieceKey } from '../plan/planned.ts';
import type { Addresses } from './addresses.ts';
import { changeParts, countVersions } from './in-parts.ts';
import { keptKey, keptState } from './items.ts';
import { isOpen } from './open-version.ts';

/** The outcome of a piece. */
export interface Outcome {
  readonly state: Extract<PieceState, 'copied' | 'linked' | 'here' | 'clash' | 'not-copied' | 'failed'>;
  /** The reason, in a sentence; empty if the state says it all. */
  readonly detail: string;
  /** SHA-256 of the received bytes, in hexadecimal; empty if nothing was received. */
  readonly sha256: string;
  /** `imageMark` of the image here; undefined if the outcome leaves none, and for archives. */
  readonly imageHere?: string;
}

export interface PieceAt {
  readonly piece: MovePieceRow;
  readonly version: MoveVersionRow;
  readonly item: MoveItemRow;
}

/** The pieces of a version, counted by state. */
export interface VersionLeft {
  readonly all: number;
  /** Waiting or being copied. */
  readonly going: number;
  /** Usable here. */
  readonly usable: number;
}

/** What an operation starts to copy, in addition to what is being copied. */
export interface Begun {
  /** Whether the move rests. It starts with all chosen and missing pieces then. */
  readonly rests: boolean;
  /** Retries failed pieces: of this item, or of all if null. */
  readonly failed?: { readonly item: string | null };
}

export type Pieces = ReturnType<typeof createPieces>;

/** How long a partly received piece is kept while its move rests, in milliseconds: as long as an upload. */
const keptFor = 7 * 24 * 3_600_000;
const expiredAtOnce = 1_000;

/** @param worker the process that makes the changes. Changes of a move that another process has throw an Error. */
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
     * Makes chosen pieces wait to be copied, including half-copied ones, of a move that this process has, or that
     * rests. Pieces that another process is copying stay unchanged.
     * @param failed makes failed pieces wait instead: of this item, or of all if null
     * @returns for failed pieces: whether the move is copying, and will take them up before it is done
     */
    async wait(moveId: string, failed?: { readonly item: string | null }): Promise<boolean> {
      if (failed === undefined) {
        const query = build
          .updateTable('move_piece')
          .set({ state: 'waiting', detail: '', attempts: 0, updated_at: clock.now() })
          .where('state', 'in', ['missing', 'copying'])
          .where(
            worker === undefined
              ? sql<SqlBool>`exists (select 1 from move as m where m.id = move_piece.move_id and m.state = 'paused')`
              : isHeld('move_piece'),
          );
        await changeParts(database, 'move_piece', moveId, (part) => query.where(part).compile());
        return false;
      }
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
      if (failed.item !== null) {
        again = again.where('item_id', '=', failed.item);
        versions = versions.where('item_id', '=', failed.item);
      }
      // A move that becomes done at the same time does so before this, or not at all.
      const copying = build
        .updateTable('move')
        .set({ updated_at: clock.now() })
        .where('id', '=', moveId)
        .where('state', '=', 'copying')
        .compile();
      // Pieces being copied while others are retried are left alone.
      return (await database.batch([copying, again.compile(), versions.compile()]))[0] === 1;
    },
    /** The number of versions that are released here and get pieces. */
    joinedReleases: (moveId: string, begun: Begun, slices: Slices): Promise<number> =>
      countVersions(database, moveId, joins(begun), slices),
    /** Marks that these versions may get pieces. */
    async agree(moveId: string, begun: Begun): Promise<void> {
      const query = build
        .updateTable('move_version')
        .set({ agreed: 1 })
        .where(joins(begun))
        .where('agreed', '=', 0);
      await changeParts(database, 'move_version', moveId, (part) => query.where(part).compile());
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
    /** Takes the next waiting piece, newest releases first. It is being copied from then on. */
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
      await set(piece.id, { state: 'copying', reserved: 0 });
      return { piece: addresses.opened(piece), ...around };
    },
    /** Stores how many bytes are in the spool for certain. */
    received: (
      id: string,
      {
        received,
        size,
        validator,
        attempts,
      }: Pick<MovePieceRow, 'received' | 'size' | 'validator'> & { readonly attempts?: number },
    ): Promise<void> => set(id, { received, size, validator, ...(attempts !== undefined && { attempts }) }),
    /** Reserves room up to this byte. */
    reserve: (id: string, reserved: number): Promise<void> => set(id, { reserved }),
    /** Stores how often the piece failed since its last progress. */
    async attemptsOf({ id, attempts }: Pick<MovePieceRow, 'id' | 'attempts'>): Promise<number> {
      const now = await database.get(
        build.selectFrom('move_piece').select('attempts').where('id', '=', id).compile(),
      );
      return now?.attempts ?? attempts;
    },
    /** Makes the piece wait again. */
    back: (id: string, attempts: number): Promise<void> => set(id, { state: 'waiting', attempts }),
    /** Until the retry after a pause, the piece counts as being copied. */
    failedOnce: (id: string, attempts: number, detail: string): Promise<void> =>
      set(id, { attempts, detail }),
    settle: (id: string, { state, detail, sha256, imageHere: image_here = '' }: Outcome): Promise<void> =>
      set(id, { state, detail, received: 0, validator: '', image_here, ...(sha256 !== '' && { sha256 }) }),
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
    /** The images of a version that are the move's, or equal to its own; those that failed have no image here. */
    ownOf: (
      versionId: string,
    ): Promise<readonly Pick<MovePieceRow, 'provider' | 'architecture' | 'image_here'>[]> =>
      database.all(
        build
          .selectFrom('move_piece')
          .select(['provider', 'architecture', 'image_here'])
          .where('version_id', '=', versionId)
          .where('state', 'in', ['here', 'copied', 'linked', 'failed'])
          .compile(),
      ),
    /** The version as it is stored now. */
    version: (id: string): Promise<MoveVersionRow | undefined> =>
      database.get(build.selectFrom('move_version').selectAll().where('id', '=', id).compile()),
    /** An incomplete version. */
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
    /** Marks that the newest release of an item can be used here. */
    usable: (itemId: string): Promise<void> =>
      change(
        build
          .updateTable('move_item')
          .set({ usable: 1 })
          .where('id', '=', itemId)
          .where(isHeld('move_item'))
          .compile(),
      ),
    /** Stores an item's own problem. */
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
    /** Ends the copying of all the move's pieces. @returns the pieces that had bytes in the spool */
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
      const query = build
        .updateTable('move_piece')
        .set({
          state: sql`case when state in ('waiting', 'copying') then 'missing' else state end`,
          received: 0,
          validator: '',
        })
        .where(sql<SqlBool>`(state in ('waiting', 'copying') or received > 0)`);
      await changeParts(database, 'move_piece', moveId, (part) => query.where(part).compile());
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
     * Prepares to keep received bytes for the next owner of the move, hidden from everybody: `keptState`. No piece is
     * kept completely.
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
    /** Deletes kept pieces that aren't in the plan. @returns the pieces that had bytes in the spool */
    async dropKept(moveId: string): Promise<readonly string[]> {
      const isKept = sql<SqlBool>`move_id = ${moveId} and state = ${keptState}`;
      const rows = await database.all(build.selectFrom('move_piece').select('id').where(isKept).compile());
      if (rows.length > 0) await database.run(build.deleteFrom('move_piece').where(isKept).compile());
      return rows.map(({ id }) => id);
    },
    /**
     * Deletes what resting moves received long ago, and the rest of abandoned moves.
     * @returns the pieces that had bytes in the spool
     */
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
    /** Pieces that have bytes in the spool, or are being received by another console. */
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

/** Versions that are released here and get pieces. */
function joins({ rests, failed }: Begun): RawBuilder<SqlBool> {
  const states = [
    ...(rests ? ['missing', 'waiting', 'copying'] : []),
    ...(failed?.item === null ? ['failed'] : []),
  ];
  const isBegun = [
    ...(states.length === 0 ? [] : [sql`p.state in (${sql.join(states)})`]),
    ...(typeof failed?.item === 'string' ? [sql`(p.state = 'failed' and p.item_id = ${failed.item})`] : []),
  ];
  return sql<SqlBool>`status_here = 'active' and exists (
    select 1 from move_piece as p where p.version_id = move_version.id and (${sql.join(isBegun, sql` or `)}))`;
}
