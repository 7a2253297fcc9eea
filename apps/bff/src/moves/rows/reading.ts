/** Reads moves for answers: sums by SQL, and items in pages. */
import { clashKinds, type PieceState } from '@gatehouse/api-types/console/move-values';
import {
  moveClash,
  type Move,
  type MoveItem,
  type MoveReportLine,
  type MoveVersion,
  type PieceCounts,
} from '@gatehouse/api-types/console/moves';
import { problemCodes } from '@gatehouse/api-types/console/problem';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import { bigint, type Database } from '#store/database.ts';
import type { MoveItemRow, MoveRow } from '#store/schema.ts';
import { countVersions, partsOf } from './in-parts.ts';
import { privacyOf } from './items.ts';
import { pieceOf, readReport, versionsOf, type UrlHere } from './report.ts';

/** Sums over pieces. */
export interface PieceSums {
  readonly pieces: PieceCounts;
  readonly bytes: { readonly total: number; readonly copied: number; readonly unknown: number };
}

/** Sums over a move's items. */
export interface ItemSums {
  readonly total: number;
  readonly chosen: number;
  readonly finished: number;
  readonly usable: number;
  readonly unread: number;
  readonly to_copy: number;
  readonly copied: number;
  readonly with_clashes: number;
}

export interface ItemQuery {
  readonly q: string;
  readonly show: PieceState | 'clashes' | 'differs' | undefined;
  readonly offset: number;
  readonly limit: number;
}

export type MoveReading = ReturnType<typeof createMoveReading>;

/** States of pieces that are, or were, to be copied. */
const moving = ['missing', 'waiting', 'copying', 'copied', 'failed'] as const;
/** States of pieces with something left to do. */
const left = ['missing', 'waiting', 'copying', 'failed'] as const;

/** The most names to choose from, and names of an item, in an answer: a source may have a hundred thousand. */
const namesOfMove = 1_000;
const namesOfItem = 100;

interface SumRow {
  readonly state: string;
  readonly count: number;
  readonly size: number | null;
  readonly unknown: number;
  readonly received: number;
}

const sumColumns = [
  sql<number>`count(*)`.as('count'),
  sql<number | null>`cast(sum(size) as bigint)`.as('size'),
  sql<number>`cast(sum(case when size is null then 1 else 0 end) as bigint)`.as('unknown'),
  sql<number>`cast(sum(received) as bigint)`.as('received'),
] as const;

export function createMoveReading(database: Database) {
  const { build } = database;
  const read = async (row: MoveItemRow): Promise<MoveItem> => {
    const [sums, version, names] = await Promise.all([
      database.all(
        build
          .selectFrom('move_piece')
          .select(['state', ...sumColumns])
          .where('item_id', '=', row.id)
          .groupBy('state')
          .compile(),
      ),
      database.get(
        build
          .selectFrom('move_version')
          .select(sql<number>`count(*)`.as('count'))
          .where('item_id', '=', row.id)
          .compile(),
      ),
      database.all(
        build
          .selectFrom('move_piece')
          .select(['provider', 'architecture'])
          .distinct()
          .where('item_id', '=', row.id)
          .where('provider', '<>', '')
          .limit(namesOfItem)
          .compile(),
      ),
    ]);
    const code = problemCodes.find((one) => one === row.problem_code);
    const privacy = privacyOf(row.is_private);
    return {
      id: row.id,
      name: row.name,
      name_here: row.name_here,
      chosen: row.chosen === 1,
      is_here: row.is_here !== 0,
      is_private: privacy === 'assumed' ? true : privacy,
      short_description: row.short_description,
      versions: version?.count ?? 0,
      newest: row.newest,
      providers: [...new Set(names.map(({ provider }) => provider))].toSorted(),
      architectures: [...new Set(names.map(({ architecture }) => architecture))].toSorted(),
      ...summed(sums),
      clashes: z.parse(z.array(moveClash), JSON.parse(row.clashes)),
      problem: code === undefined ? null : { code, detail: row.problem_detail ?? '' },
    };
  };
  return {
    async sums(moveId: string, slices: Slices): Promise<PieceSums> {
      const rows: SumRow[] = [];
      const states = build
        .selectFrom('move_piece')
        .select(['state', ...sumColumns])
        .groupBy('state');
      for await (const part of partsOf(database, 'move_piece', moveId, slices))
        rows.push(...(await database.all(states.where(part).compile())));
      return summed(rows);
    },
    async itemSums(moveId: string, slices: Slices): Promise<ItemSums> {
      const sums = {
        total: 0,
        chosen: 0,
        finished: 0,
        usable: 0,
        unread: 0,
        to_copy: 0,
        copied: 0,
        with_clashes: 0,
      };
      for await (const part of partsOf(database, 'move_item', moveId, slices)) {
        const row = await database.get(
          sql<Record<keyof ItemSums, number | null>>`
            select count(*) as total, cast(sum(chosen) as bigint) as chosen,
              cast(sum(case when chosen = 1 then usable else 0 end) as bigint) as usable,
              cast(sum(case when chosen = 1 and problem_code is not null then 1 else 0 end) as bigint) as unread,
              cast(sum(case when ${withPiece(...left)} then 1 else 0 end) as bigint) as to_copy,
              cast(sum(case when ${withPiece('copied')} then 1 else 0 end) as bigint) as copied,
              cast(sum(case when ${clashing} then 1 else 0 end) as bigint) as with_clashes,
              cast(sum(case when chosen = 1 and pass > 0 and problem_code is null and not ${withPiece(...left)}
                and not exists (select 1 from move_version as v
                  where v.item_id = move_item.id and v.chosen = 1 and v.phase <> 'done')
                then 1 else 0 end) as bigint) as finished
            from move_item where ${part}`.compile(build),
        );
        for (const name of Object.keys(sums) as (keyof ItemSums)[]) sums[name] += row?.[name] ?? 0;
      }
      return sums;
    },
    /** Whether a chosen item is known to be private at the source. */
    async hasPrivate(moveId: string): Promise<boolean> {
      const items = build.selectFrom('move_item').select('id').where('move_id', '=', moveId);
      const chosen = items.where('chosen', '=', 1).where('is_private', '=', 1).limit(1);
      return (await database.get(chosen.compile())) !== undefined;
    },
    /** Chosen versions. */
    versions: (moveId: string, slices: Slices): Promise<number> =>
      countVersions(database, moveId, sql<SqlBool>`chosen = 1`, slices),
    /** The number of items read in a pass, and of all items. */
    async planning({
      id,
      pass,
    }: Pick<MoveRow, 'id' | 'pass'>): Promise<{ readonly read: number; readonly found: number }> {
      const row = await database.get(
        build
          .selectFrom('move_item')
          .select([
            sql<number>`count(*)`.as('found'),
            sql<number | null>`cast(sum(case when pass >= ${bigint(pass)} then 1 else 0 end) as bigint)`.as(
              'read',
            ),
          ])
          .where('move_id', '=', id)
          .compile(),
      );
      return { read: row?.read ?? 0, found: row?.found ?? 0 };
    },
    /** Names to choose from, sorted, up to a thousand of each kind: nobody chooses from more. */
    async found(moveId: string, slices: Slices): Promise<Move['found']> {
      const namesOf = async (table: 'move_item' | 'move_piece', column: string): Promise<string[]> => {
        const names = new Set<string>();
        const query = (part: RawBuilder<SqlBool>) => sql<{ name: string }>`
          select distinct ${sql.ref(column)} as name from ${sql.table(table)}
          where ${part} and ${sql.ref(column)} <> '' limit ${sql.lit(namesOfMove)}`;
        for await (const part of partsOf(database, table, moveId, slices)) {
          for (const { name } of await database.all(query(part).compile(build))) names.add(name);
          if (names.size >= namesOfMove) break;
        }
        return [...names].slice(0, namesOfMove).toSorted();
      };
      return {
        owners: await namesOf('move_item', 'owner'),
        providers: await namesOf('move_piece', 'provider'),
        architectures: await namesOf('move_piece', 'architecture'),
      };
    },
    async items(
      moveId: string,
      { q, show, offset, limit }: ItemQuery,
      slices: Slices,
    ): Promise<{ readonly items: MoveItem[]; readonly total: number }> {
      const where = sql<SqlBool>`move_id = ${moveId} and ${named(database, q)} and ${shown(show)}`;
      const [rows, count] = await Promise.all([
        database.all(
          build
            .selectFrom('move_item')
            .selectAll()
            .where(where)
            .orderBy('name')
            .limit(limit)
            .offset(offset)
            .compile(),
        ),
        database.get(
          build
            .selectFrom('move_item')
            .select(sql<number>`count(*)`.as('count'))
            .where(where)
            .compile(),
        ),
      ]);
      const items: MoveItem[] = [];
      for (const row of rows) {
        // Each may have thousands of pieces.
        await slices.giveWay();
        items.push(await read(row));
      }
      return { items, total: count?.count ?? 0 };
    },
    async item(
      moveId: string,
      id: string,
      slices: Slices,
    ): Promise<{ readonly item: MoveItem; readonly versions: MoveVersion[] } | undefined> {
      const row = await database.get(
        build
          .selectFrom('move_item')
          .selectAll()
          .where('id', '=', id)
          .where('move_id', '=', moveId)
          .compile(),
      );
      if (row === undefined) return undefined;
      const versions: MoveVersion[] = [];
      for await (const { version, pieces } of versionsOf(database, id, slices)) {
        const sorted = pieces.toSorted(
          (a, b) => Number(a.provider > b.provider) - Number(a.provider < b.provider),
        );
        const own: MoveVersion['pieces'] = [];
        for (const piece of sorted) {
          await slices.giveWay();
          own.push(pieceOf(piece));
        }
        versions.push({
          version: version.version,
          status: version.status,
          status_here: version.status_here,
          chosen: version.chosen === 1,
          differs: z.parse(z.array(z.string()), JSON.parse(version.differs)),
          pieces: own,
        });
      }
      return { item: await read(row), versions };
    },
    /** See `readReport`. @param urlHere where clients get a piece here */
    report: (
      move: Pick<MoveRow, 'id' | 'person_id'>,
      urlHere: UrlHere,
      slices: Slices,
    ): AsyncIterable<MoveReportLine> => readReport(database, move, urlHere, slices),
  };
}

function named({ contains }: Database, q: string): RawBuilder<SqlBool> {
  if (q === '') return sql<SqlBool>`1 = 1`;
  const part = q.toLowerCase();
  return sql<SqlBool>`(${contains(sql`lower(name)`, part)} or ${contains(sql`lower(name_here)`, part)})`;
}

/** Within a string, quotation marks have a backslash before them, so a kind is found only as a kind. */
const clashing = sql<SqlBool>`(problem_code is null and (${sql.join(
  clashKinds.map((kind) => sql`clashes like ${`%"what":"${kind}"%`}`),
  sql` or `,
)}))`;

function withPiece(...states: readonly PieceState[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from move_piece as p where p.item_id = move_item.id and p.state in (${sql.join(states)}))`;
}

function shown(show: ItemQuery['show']): RawBuilder<SqlBool> {
  switch (show) {
    case undefined:
      return sql<SqlBool>`1 = 1`;
    case 'clashes':
      return clashing;
    case 'differs':
      return sql<SqlBool>`(exists (select 1 from move_piece as p where p.item_id = move_item.id and p.plan in ('missing', 'clash') and p.state not in ('copied', 'linked'))
        or exists (select 1 from move_version as v where v.item_id = move_item.id and v.differs <> '[]'))`;
    case 'failed':
      return sql<SqlBool>`(problem_code is not null or ${withPiece(show)})`;
    default:
      return withPiece(show);
  }
}

function summed(rows: readonly SumRow[]): PieceSums {
  const total = (states: readonly string[], name: 'count' | 'size' | 'unknown' | 'received'): number =>
    rows.reduce((sum, row) => sum + (states.includes(row.state) ? (row[name] ?? 0) : 0), 0);
  const count = (state: PieceState): number => total([state], 'count');
  return {
    pieces: {
      missing: count('missing'),
      'left-out': count('left-out'),
      here: count('here'),
      clash: count('clash'),
      waiting: count('waiting'),
      copying: count('copying'),
      copied: count('copied'),
      linked: count('linked'),
      'not-copied': count('not-copied'),
      failed: count('failed'),
    },
    bytes: {
      total: total(moving, 'size'),
      copied: total(['copied'], 'size') + total(['copying', 'waiting'], 'received'),
      unknown: total(moving, 'unknown'),
    },
  };
}
