/** Boxes or modules of moves with their planned versions and pieces, stored item by item. */
import type { Clock } from '@gatehouse/service-kit/clock';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql, type CompiledQuery } from 'kysely';
import pLimit from 'p-limit';
import type { ProblemError } from '#ground/problem.ts';
import type { Database } from '#store/database.ts';
import type { MoveItemRow, MovePieceRow, MoveVersionRow } from '#store/schema.ts';
import { pieceKey, type KnownPiece, type PlannedItem, type PlannedPiece } from '../plan/planned.ts';
import type { Addresses } from './addresses.ts';
import { partsOf } from './in-parts.ts';

/** An item with all its rows. */
export interface StoredItem {
  readonly item: MoveItemRow;
  /** Newest first. */
  readonly versions: readonly MoveVersionRow[];
  readonly pieces: readonly MovePieceRow[];
  /** Pieces of which a former owner of the move received bytes. */
  readonly kept: readonly MovePieceRow[];
}

/** What to count rows of. */
type Counted = { readonly move: string } | { readonly persons: readonly string[] };

/** An item may have tens of thousands of versions and pieces, so they are read and written in slices. */
export type Items = ReturnType<typeof createItems>;

/** Rows per insert, and characters of their texts, unless a single row has more. */
const rowsAtOnce = 200;
const charactersAtOnce = 64 * 1024;

/** What the versions and pieces of a plan count: one each, and one for each 1,000 characters of their texts. */
export function weightOf({ description, versions }: PlannedItem): number {
  let rows = 0;
  let characters = description.length;
  for (const version of versions) {
    rows += 1 + version.pieces.length;
    characters += version.version.length + version.description.length;
    for (const piece of version.pieces) characters += charactersOf(piece);
  }
  return rows + Math.floor(characters / 1000);
}

function charactersOf({ provider, architecture, url, checksum, detail }: PlannedPiece): number {
  return provider.length + architecture.length + url.length + checksum.length + detail.length;
}

/** Whether a source's box is private: assumed if the source doesn't say and a token was used, else null. */
type Privacy = PlannedItem['isPrivate'];

/** `is_private` of a box that is assumed to be private. */
const assumedPrivate = 2;

/** `is_here` of a box that is private here. */
export const privateHere = 2;

function storedPrivacy(privacy: Privacy): number | null {
  if (privacy === null) return null;
  return privacy === 'assumed' ? assumedPrivate : Number(privacy);
}

/** @param stored `is_private` of an item's row */
export function privacyOf(stored: number | null): Privacy {
  if (stored === null) return null;
  return stored === assumedPrivate ? 'assumed' : stored === 1;
}

export function createItems(database: Database, clock: Clock, addresses: Addresses) {
  const { build } = database;
  // Without a pause, batches that wait together would be written in one turn.
  const writing = pLimit(1);
  const write = async (slices: Slices, queries: () => CompiledQuery[]): Promise<void> => {
    await writing(async () => {
      await slices.giveWay();
      await database.batch(queries());
    });
  };
  /** From now on, the item's rows don't count as the source's answer. */
  const begin = ({ id }: MoveItemRow, weight: number): Promise<number> =>
    database.run(build.updateTable('move_item').set({ pass: 0, weight }).where('id', '=', id).compile());
  /** Removes the versions of an item, with their pieces, except these. */
  const remove = async ({ id }: MoveItemRow, slices: Slices, but?: ReadonlySet<string>): Promise<void> => {
    const rows = await database.all(
      build.selectFrom('move_version').select('id').where('item_id', '=', id).compile(),
    );
    const others = rows.map((row) => row.id).filter((version) => but?.has(version) !== true);
    for (const part of inParts(others)) {
      await write(slices, () => [
        build.deleteFrom('move_piece').where('version_id', 'in', part).compile(),
        build.deleteFrom('move_version').where('id', 'in', part).compile(),
      ]);
    }
  };
  const opened = async (
    pieces: readonly MovePieceRow[],
    slices: Slices,
    into: MovePieceRow[] = [],
  ): Promise<MovePieceRow[]> => {
    for (const piece of pieces) {
      await slices.giveWay();
      into.push(addresses.opened(piece));
    }
    return into;
  };
  return {
    /** Adds the items that the move doesn't have yet. @param hereOf the name that an item gets here */
    async add(
      moveId: string,
      names: readonly string[],
      hereOf: (name: string) => string,
      slices: Slices,
    ): Promise<void> {
      const rowOf = (name: string): MoveItemRow => ({
        id: randomBase62(20),
        move_id: moveId,
        name,
        owner: name.split('/')[0] ?? '',
        name_here: hereOf(name),
        chosen: 1,
        is_here: 0,
        is_private: null,
        weight: 0,
        short_description: '',
        description: '',
        source_url: '',
        newest: null,
        pass: 0,
        usable: 0,
        clashes: '[]',
        refused: '',
        problem_code: null,
        problem_detail: null,
      });
      for (const part of inParts([...new Set(names)])) {
        await write(slices, () => [
          build
            .insertInto('move_item')
            .values(part.map(rowOf))
            .onConflict((conflict) => conflict.columns(['move_id', 'name']).doNothing())
            .compile(),
        ]);
      }
    },
    /** All of them are read at the source again. */
    async forgetPlaces(moveId: string): Promise<void> {
      await database.run(
        build
          .updateTable('move_item')
          .set({ pass: 0 })
          .where('move_id', '=', moveId)
          .where('pass', '<', 0)
          .compile(),
      );
    },
    /** The names of a move's items at the source: all, or somewhat more than `most`. */
    async names(moveId: string, most: number, slices: Slices): Promise<Set<string>> {
      const names = new Set<string>();
      const named = build.selectFrom('move_item').select('name').orderBy('name');
      for await (const part of partsOf(database, 'move_item', moveId, slices)) {
        for (const { name } of await database.all(named.where(part).compile())) names.add(name);
        if (names.size > most) break;
      }
      return names;
    },
    /** The number of items of a move, or all moves of these users, with what their plans count. */
    async count(of: Counted): Promise<number> {
      const counted = build
        .selectFrom('move_item')
        .select(sql<number>`cast(coalesce(sum(1 + weight), 0) as bigint)`.as('count'));
      const own = (persons: readonly string[]) =>
        build
          .selectFrom('move')
          .select('id')
          .where('person_id', 'in', [...persons]);
      const query =
        'move' in of
          ? counted.where('move_id', '=', of.move)
          : counted.where('move_id', 'in', own(of.persons));
      return (await database.get(query.compile()))?.count ?? 0;
    },
    find: (id: string): Promise<MoveItemRow | undefined> =>
      database.get(build.selectFrom('move_item').selectAll().where('id', '=', id).compile()),
    /** An item of the move that wasn't read in this pass, and isn't being read. */
    nextUnread(moveId: string, pass: number, busy: readonly string[]): Promise<MoveItemRow | undefined> {
      let query = build
        .selectFrom('move_item')
        .selectAll()
        .where('move_id', '=', moveId)
        .where('pass', '<', pass);
      if (busy.length > 0) query = query.where('id', 'not in', [...busy]);
      return database.get(query.limit(1).compile());
    },
    /** The last plan of an item. */
    async whole(id: string, slices: Slices): Promise<StoredItem | undefined> {
      const item = await this.find(id);
      if (item === undefined) return undefined;
      const ofItem = keptKey(item.name, '');
      const versions: MoveVersionRow[] = [];
      const pieces: MovePieceRow[] = [];
      for (let page = [...versions]; ;) {
        await slices.giveWay();
        page = await database.all(
          build
            .selectFrom('move_version')
            .selectAll()
            .where('item_id', '=', id)
            .orderBy('rank')
            .orderBy('id')
            .limit(rowsAtOnce)
            .offset(versions.length)
            .compile(),
        );
        if (page.length === 0) break;
        versions.push(...page);
        await slices.giveWay();
        const rows = await database.all(
          build
            .selectFrom('move_piece')
            .selectAll()
            .where(
              'version_id',
              'in',
              page.map((version) => version.id),
            )
            .orderBy('priority')
            .orderBy('place')
            .compile(),
        );
        await opened(rows, slices, pieces);
      }
      const kept = await database.all(
        build
          .selectFrom('move_piece')
          .selectAll()
          .where('move_id', '=', item.move_id)
          .where('state', '=', keptState)
          .where(sql<boolean>`substr(version_id, 1, cast(${ofItem.length} as integer)) = ${ofItem}`)
          .compile(),
      );
      return { item, versions, pieces, kept: await opened(kept, slices) };
    },
    /**
     * Replaces the plan of an item. Until it is complete the item counts as unread. An interrupted plan is read at the
     * source again, and keeps the known pieces.
     */
    async replace(item: MoveItemRow, pass: number, planned: PlannedItem, slices: Slices): Promise<void> {
      const now = clock.now();
      await begin(item, weightOf(planned));
      // In the order of the rows, so that a change of many touches few pages of the tables and indexes.
      const series = randomBase62(16);
      const idAt = (at: number): string => series + String(at).padStart(6, '0');
      const ids = planned.versions.map((_version, rank) => idAt(rank));
      const ranks = [...planned.versions.entries()];
      // Pieces come after their versions, which say what the pieces belong to.
      for (const part of inParts(ranks, ([, { description }]) => description.length)) {
        await write(slices, () => [
          build
            .insertInto('move_version')
            .values(
              part.map(([rank, version]) => ({
                id: ids[rank] ?? '',
                move_id: item.move_id,
                item_id: item.id,
                version: version.version,
                rank,
                priority: version.priority,
                description: version.description,
                status: version.status,
                status_here: version.statusHere,
                chosen: item.chosen,
                differs: JSON.stringify(version.differs),
                completes: version.completes ? 1 : 0,
                phase: version.isOpen ? 'open' : 'done',
                released: 0,
                agreed: 0,
              })),
            )
            .compile(),
        ]);
      }
      let made = 0;
      const taken = new Set<string>();
      const pieces: MovePieceRow[] = [];
      let characters = 0;
      const writePieces = (): Promise<void> => {
        const part = pieces.splice(0);
        characters = 0;
        // The known part of a piece moves from its former row to the new one, whatever follows.
        const known = part.map(({ id }) => id).filter((id) => taken.has(id));
        return write(slices, () => [
          ...(known.length === 0 ? [] : [build.deleteFrom('move_piece').where('id', 'in', known).compile()]),
          build.insertInto('move_piece').values(part).compile(),
        ]);
      };
      for (const [rank, version] of ranks) {
        for (const [place, piece] of version.pieces.entries()) {
          await slices.giveWay();
          // Names that differ only in case share one known piece.
          const known = taken.has(piece.known?.id ?? '') ? undefined : piece.known;
          if (known !== undefined) taken.add(known.id);
          const isMissing = piece.plan === 'missing';
          pieces.push({
            id: known?.id ?? `mp_${idAt(made++)}`,
            move_id: item.move_id,
            item_id: item.id,
            version_id: ids[rank] ?? '',
            priority: version.priority,
            place,
            provider: piece.provider,
            architecture: piece.architecture,
            is_default: piece.isDefault === null ? null : Number(piece.isDefault),
            hosted: Number(piece.hosted),
            url: addresses.seal(item.move_id, piece.url),
            checksum: piece.checksum,
            checksum_type: piece.checksumType,
            size: piece.size,
            plan: piece.plan,
            plan_detail: piece.detail,
            state: piece.plan,
            detail: piece.detail,
            received: isMissing ? (known?.received ?? 0) : 0,
            validator: known?.validator ?? '',
            sha256: known?.sha256 ?? '',
            attempts: 0,
            updated_at: now,
            image_here: piece.imageHere,
            reserved: 0,
          });
          characters += charactersOf(piece);
          if (pieces.length === rowsAtOnce || characters >= charactersAtOnce) await writePieces();
        }
      }
      if (pieces.length > 0) await writePieces();
      await remove(item, slices, new Set(ids));
      await database.run(
        build
          .updateTable('move_item')
          .set({
            is_here: planned.isHere === 'private' ? privateHere : Number(planned.isHere),
            is_private: storedPrivacy(planned.isPrivate),
            short_description: planned.shortDescription,
            description: planned.description,
            source_url: planned.sourceUrl,
            newest: planned.newest,
            pass,
            usable: Number(planned.isUsable),
            clashes: JSON.stringify(planned.clashes),
            refused: planned.refused,
            problem_code: null,
            problem_detail: null,
          })
          .where('id', '=', item.id)
          .compile(),
      );
    },
    /** Marks an item as unreadable, and deletes its plan. */
    async fail(item: MoveItemRow, pass: number, problem: ProblemError, slices: Slices): Promise<void> {
      await begin(item, 0);
      await remove(item, slices);
      await database.run(
        build
          .updateTable('move_item')
          .set({
            pass,
            newest: null,
            usable: 0,
            clashes: JSON.stringify([
              {
                what: 'unreadable',
                detail: problem.message,
                done: 'None of it is copied. Compare again to retry.',
              },
            ]),
            problem_code: problem.code,
            problem_detail: problem.message,
          })
          .where('id', '=', item.id)
          .compile(),
      );
    },
  };
}

/** The known pieces of an item, by `pieceKey`. */
export async function knownPieces(
  { item, versions, pieces, kept }: StoredItem,
  slices: Slices,
): Promise<ReadonlyMap<string, KnownPiece>> {
  const numbers = new Map(versions.map(({ id, version }) => [id, version]));
  const known = new Map<string, KnownPiece>();
  for (const piece of kept) known.set(piece.version_id.slice(keptKey(item.name, '').length), piece);
  for (const piece of pieces) {
    await slices.giveWay();
    const { version_id, provider, architecture } = piece;
    known.set(pieceKey(numbers.get(version_id) ?? '', provider, architecture), piece);
  }
  return known;
}

/**
 * State of a hidden piece of which the move's former owner received bytes. It belongs to no item, and the version's
 * column says where it was. A plan of the next owner continues it if their tokens show the same piece.
 */
export const keptState = 'kept';

/** @param key by `pieceKey` */
export function keptKey(item: string, key: string): string {
  return `${item}/${key}`;
}

function inParts<Row>(rows: readonly Row[], charactersOf: (row: Row) => number = () => 0): Row[][] {
  const parts: Row[][] = [];
  let characters = Infinity;
  for (const row of rows) {
    const part = parts.at(-1);
    if (part === undefined || part.length === rowsAtOnce || characters >= charactersAtOnce) {
      parts.push([row]);
      characters = 0;
    } else part.push(row);
    characters += charactersOf(row);
  }
  return parts;
}
