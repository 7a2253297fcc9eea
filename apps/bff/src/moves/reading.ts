import { clashKinds, pieceStates, type PieceState } from '@gatehouse/api-types/console/move-values';
import {
  moveClash,
  type Move,
  type MoveItem,
  type MoveReportLine,
  type MoveVersion,
  type PieceCounts,
} from '@gatehouse/api-types/console/moves';
/** What is told of moves: numbers by SQL, items a page at a time. */
import { problemCodes } from '@gatehouse/api-types/console/problem';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import { bigint, type Database } from '#store/database.ts';
import type { MoveItemRow, MovePieceRow, MoveRow } from '#store/schema.ts';

/** Sums over pieces. */
export interface PieceSums {
  readonly pieces: PieceCounts;
  readonly bytes: { readonly total: number; readonly copied: number; readonly unknown: number };
}

/** Sums over the items of a move. */
export interface ItemSums {
  readonly total: number;
  readonly chosen: number;
  readonly finished: number;
  readonly usable: number;
  readonly unread: number;
  readonly with_clashes: number;
}

export interface ItemQuery {
  readonly q: string;
  readonly show: PieceState | 'clashes' | 'differs' | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface MoveReading {
  sums(moveId: string): Promise<PieceSums>;
  itemSums(moveId: string): Promise<ItemSums>;
  /** Chosen versions. */
  versions(moveId: string): Promise<number>;
  /** Items that were read in a pass, and all. */
  planning(move: Pick<MoveRow, 'id' | 'pass'>): Promise<{ readonly read: number; readonly found: number }>;
  /** Names that there are to choose from, sorted. */
  found(moveId: string): Promise<Move['found']>;
  items(moveId: string, query: ItemQuery): Promise<{ readonly items: MoveItem[]; readonly total: number }>;
  item(
    moveId: string,
    id: string,
  ): Promise<{ readonly item: MoveItem; readonly versions: MoveVersion[] } | undefined>;
  /** Items that could not be read, then every piece, item by item. @param urlHere where clients get a piece here */
  report(
    moveId: string,
    urlHere: (at: {
      readonly item: string;
      readonly version: string;
      readonly provider: string;
      readonly architecture: string;
    }) => string,
  ): AsyncIterable<MoveReportLine>;
}

/** States of pieces that are to be copied, or were. */
const moving = ['missing', 'waiting', 'copying', 'copied', 'failed'] as const;
/** States of which something is left to do. */
const left = ['missing', 'waiting', 'copying', 'failed'] as const;
/** States of pieces that can be fetched here. */
const fetchable: ReadonlySet<string> = new Set(['here', 'copied', 'linked', 'clash']);
/** Pieces of a report that are read at once. */
const reportPage = 500;

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

export function createMoveReading(database: Database): MoveReading {
  const { build } = database;
  const sumsOf = async (items: readonly string[]): Promise<ReadonlyMap<string, PieceSums>> => {
    const rows = await database.all(
      build
        .selectFrom('move_piece')
        .select(['item_id', 'state', ...sumColumns])
        .where('item_id', 'in', [...items])
        .groupBy(['item_id', 'state'])
        .compile(),
    );
    return new Map(items.map((id) => [id, summed(rows.filter(({ item_id }) => item_id === id))]));
  };
  const told = async (rows: readonly MoveItemRow[]): Promise<MoveItem[]> => {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [sums, versions, names] = await Promise.all([
      sumsOf(ids),
      database.all(
        build
          .selectFrom('move_version')
          .select(['item_id', sql<number>`count(*)`.as('count')])
          .where('item_id', 'in', ids)
          .groupBy('item_id')
          .compile(),
      ),
      database.all(
        build
          .selectFrom('move_piece')
          .select(['item_id', 'provider', 'architecture'])
          .distinct()
          .where('item_id', 'in', ids)
          .where('provider', '<>', '')
          .compile(),
      ),
    ]);
    return rows.map((row) => {
      const own = names.filter(({ item_id }) => item_id === row.id);
      const code = problemCodes.find((one) => one === row.problem_code);
      return {
        id: row.id,
        name: row.name,
        name_here: row.name_here,
        chosen: row.chosen === 1,
        is_here: row.is_here === 1,
        is_private: row.is_private === null ? null : row.is_private === 1,
        short_description: row.short_description,
        versions: versions.find(({ item_id }) => item_id === row.id)?.count ?? 0,
        newest: row.newest,
        providers: [...new Set(own.map(({ provider }) => provider))].toSorted(),
        architectures: [...new Set(own.map(({ architecture }) => architecture))].toSorted(),
        ...(sums.get(row.id) ?? summed([])),
        clashes: z.parse(z.array(moveClash), JSON.parse(row.clashes)),
        problem: code === undefined ? null : { code, detail: row.problem_detail ?? '' },
      };
    });
  };
  return {
    async sums(moveId) {
      return summed(
        await database.all(
          build
            .selectFrom('move_piece')
            .select(['state', ...sumColumns])
            .where('move_id', '=', moveId)
            .groupBy('state')
            .compile(),
        ),
      );
    },
    async itemSums(moveId) {
      const [row] = await database.all(
        sql<Record<keyof ItemSums, number | null>>`
          select count(*) as total, cast(sum(chosen) as bigint) as chosen,
            cast(sum(case when chosen = 1 then usable else 0 end) as bigint) as usable,
            cast(sum(case when chosen = 1 and problem_code is not null then 1 else 0 end) as bigint) as unread,
            cast(sum(case when ${clashing} then 1 else 0 end) as bigint) as with_clashes,
            cast(sum(case when chosen = 1 and pass > 0 and problem_code is null and not exists (
              select 1 from move_piece as p where p.item_id = move_item.id and p.state in (${sql.join(left)}))
              and not exists (select 1 from move_version as v
                where v.item_id = move_item.id and v.chosen = 1 and v.phase <> 'done')
              then 1 else 0 end) as bigint) as finished
          from move_item where move_id = ${moveId}`.compile(build),
      );
      const number = (name: keyof ItemSums): number => row?.[name] ?? 0;
      return {
        total: number('total'),
        chosen: number('chosen'),
        finished: number('finished'),
        usable: number('usable'),
        unread: number('unread'),
        with_clashes: number('with_clashes'),
      };
    },
    async versions(moveId) {
      const row = await database.get(
        build
          .selectFrom('move_version')
          .select(sql<number>`count(*)`.as('count'))
          .where('move_id', '=', moveId)
          .where('chosen', '=', 1)
          .compile(),
      );
      return row?.count ?? 0;
    },
    async planning({ id, pass }) {
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
    async found(moveId) {
      const [owners, providers, architectures] = await Promise.all([
        database.all(
          build
            .selectFrom('move_item')
            .select('owner as name')
            .distinct()
            .where('move_id', '=', moveId)
            .orderBy('owner')
            .compile(),
        ),
        ...(['provider', 'architecture'] as const).map((column) =>
          database.all(
            build
              .selectFrom('move_piece')
              .select(`${column} as name`)
              .distinct()
              .where('move_id', '=', moveId)
              .where(column, '<>', '')
              .orderBy(column)
              .compile(),
          ),
        ),
      ]);
      const names = (rows: readonly { readonly name: string }[] = []): string[] =>
        rows.map(({ name }) => name);
      return { owners: names(owners), providers: names(providers), architectures: names(architectures) };
    },
    async items(moveId, { q, show, offset, limit }) {
      const where = sql<SqlBool>`move_id = ${moveId} and ${named(q)} and ${shown(show)}`;
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
      return { items: await told(rows), total: count?.count ?? 0 };
    },
    async item(moveId, id) {
      const row = await database.get(
        build
          .selectFrom('move_item')
          .selectAll()
          .where('id', '=', id)
          .where('move_id', '=', moveId)
          .compile(),
      );
      if (row === undefined) return undefined;
      const [[item], versions, pieces] = await Promise.all([
        told([row]),
        database.all(
          build.selectFrom('move_version').selectAll().where('item_id', '=', id).orderBy('rank').compile(),
        ),
        database.all(
          build
            .selectFrom('move_piece')
            .selectAll()
            .where('item_id', '=', id)
            .orderBy('provider')
            .orderBy('place')
            .compile(),
        ),
      ]);
      if (item === undefined) return undefined;
      return {
        item,
        versions: versions.map((version) => ({
          version: version.version,
          status: version.status,
          status_here: version.status_here,
          chosen: version.chosen === 1,
          differs: z.parse(z.array(z.string()), JSON.parse(version.differs)),
          pieces: pieces.filter(({ version_id }) => version_id === version.id).map(pieceOf),
        })),
      };
    },
    async *report(moveId, urlHere) {
      let afterName = '';
      for (;;) {
        const unread = await database.all(
          build
            .selectFrom('move_item')
            .innerJoin('move', 'move.id', 'move_item.move_id')
            .select(['move_item.name', 'name_here', 'problem_detail', 'move.planned_at', 'move.updated_at'])
            .where('move_id', '=', moveId)
            .where('chosen', '=', 1)
            .where('problem_code', 'is not', null)
            .where('move_item.name', '>', afterName)
            .orderBy('move_item.name')
            .limit(reportPage)
            .compile(),
        );
        const last = unread.at(-1);
        if (last === undefined) break;
        afterName = last.name;
        for (const item of unread) yield unreadLine(item);
      }
      let after = ['', ''];
      for (;;) {
        const rows = await database.all(
          build
            .selectFrom('move_piece')
            .innerJoin('move_item', 'move_item.id', 'move_piece.item_id')
            .innerJoin('move_version', 'move_version.id', 'move_piece.version_id')
            .selectAll('move_piece')
            .select(['move_item.name', 'move_item.name_here', 'move_version.version'])
            .where('move_piece.move_id', '=', moveId)
            .where(
              sql<SqlBool>`(move_item.name > ${after[0]} or (move_item.name = ${after[0]} and move_piece.id > ${after[1]}))`,
            )
            .orderBy('move_item.name')
            .orderBy('move_piece.id')
            .limit(reportPage)
            .compile(),
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        after = [last.name, last.id];
        for (const { name: item, name_here: itemHere, version, ...row } of rows) {
          const { id: _, is_default: __, copied: ___, ...piece } = pieceOf(row);
          const { provider, architecture } = piece;
          yield {
            item,
            item_here: itemHere,
            version,
            ...piece,
            url_here: fetchable.has(piece.state)
              ? urlHere({ item: itemHere, version, provider, architecture })
              : '',
            time: new Date(row.updated_at).toISOString(),
          };
        }
      }
    },
  };
}

function named(q: string): RawBuilder<SqlBool> {
  if (q === '') return sql<SqlBool>`1 = 1`;
  const pattern = `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`(lower(name) like ${pattern} escape '\\' or lower(name_here) like ${pattern} escape '\\')`;
}

/** The line of an item that the source did not give: it has no pieces. */
function unreadLine(item: {
  readonly name: string;
  readonly name_here: string;
  readonly problem_detail: string | null;
  readonly planned_at: number | null;
  readonly updated_at: number;
}): MoveReportLine {
  return {
    item: item.name,
    item_here: item.name_here,
    version: '',
    provider: '',
    architecture: '',
    state: 'failed',
    detail: item.problem_detail ?? '',
    size: null,
    checksum: '',
    checksum_type: '',
    sha256: '',
    url_here: '',
    time: new Date(item.planned_at ?? item.updated_at).toISOString(),
  };
}

/** A quotation mark within a sentence has a backslash before it, so a kind is found as a kind alone. */
const clashing = sql<SqlBool>`(problem_code is null and (${sql.join(
  clashKinds.map((kind) => sql`clashes like ${`%"what":"${kind}"%`}`),
  sql` or `,
)}))`;

function withPiece(state: PieceState): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from move_piece as p where p.item_id = move_item.id and p.state = ${state})`;
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
  const of = (state: string): SumRow | undefined => rows.find((row) => row.state === state);
  const total = (states: readonly string[], name: 'size' | 'unknown' | 'received'): number =>
    states.reduce((sum, state) => sum + (of(state)?.[name] ?? 0), 0);
  return {
    pieces: {
      missing: countOf(of('missing')),
      'left-out': countOf(of('left-out')),
      here: countOf(of('here')),
      clash: countOf(of('clash')),
      waiting: countOf(of('waiting')),
      copying: countOf(of('copying')),
      copied: countOf(of('copied')),
      linked: countOf(of('linked')),
      'not-copied': countOf(of('not-copied')),
      failed: countOf(of('failed')),
    },
    bytes: {
      total: total(moving, 'size'),
      copied: total(['copied'], 'size') + total(['copying', 'waiting'], 'received'),
      unknown: total(moving, 'unknown'),
    },
  };
}

function countOf(row: SumRow | undefined): number {
  return row?.count ?? 0;
}

function pieceOf(row: MovePieceRow): MoveVersion['pieces'][number] {
  const isThere = row.state === 'copied' || row.state === 'here';
  return {
    id: row.id,
    provider: row.provider,
    architecture: row.architecture,
    is_default: row.is_default === null ? null : row.is_default === 1,
    state: pieceStates.find((state) => state === row.state) ?? 'failed',
    detail: row.detail,
    size: row.size,
    copied: isThere ? (row.size ?? 0) : row.received,
    checksum: row.checksum,
    checksum_type: row.checksum_type,
    sha256: row.sha256,
  };
}
