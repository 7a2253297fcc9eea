/** The report of a move: the outcome of each piece, and of each unreadable item. */
import { pieceStates } from '@gatehouse/api-types/console/move-values';
import type { MoveReportLine, MoveVersion } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { bigint, type Database } from '#store/database.ts';
import type { MovePieceRow, MoveRow, MoveVersionRow } from '#store/schema.ts';

/** Address at which clients get a piece here. */
export type UrlHere = (at: {
  readonly item: string;
  readonly version: string;
  readonly provider: string;
  readonly architecture: string;
}) => string;

/** States of pieces that can be fetched here. */
const fetchable: ReadonlySet<string> = new Set(['here', 'copied', 'linked']);
/** Items, versions and pieces read at a time. */
const itemPage = 500;
const versionPage = 200;
const piecePage = 500;

/** Unreadable items, then all pieces, both by name. The report ends when another user takes the move over. */
export async function* readReport(
  database: Database,
  { id: moveId, person_id: personId }: Pick<MoveRow, 'id' | 'person_id'>,
  urlHere: UrlHere,
  slices: Slices,
): AsyncGenerator<MoveReportLine> {
  const { build } = database;
  const isOwn = sql<SqlBool>`exists (select 1 from move as m where m.id = ${moveId} and m.person_id = ${personId})`;
  let afterName = '';
  for (;;) {
    const unread = await database.all(
      build
        .selectFrom('move_item')
        .innerJoin('move', 'move.id', 'move_item.move_id')
        .select(['move_item.name', 'name_here', 'problem_detail', 'move.planned_at', 'move.updated_at'])
        .where('move_id', '=', moveId)
        .where(isOwn)
        .where('chosen', '=', 1)
        .where('problem_code', 'is not', null)
        .where('move_item.name', '>', afterName)
        .orderBy('move_item.name')
        .limit(itemPage)
        .compile(),
    );
    const last = unread.at(-1);
    if (last === undefined) break;
    afterName = last.name;
    for (const item of unread) yield unreadLine(item);
  }
  let after = '';
  for (;;) {
    const page = await database.all(
      build
        .selectFrom('move_item')
        .select(['id', 'name', 'name_here'])
        .where('move_id', '=', moveId)
        .where(isOwn)
        .where('name', '>', after)
        .orderBy('name')
        .limit(itemPage)
        .compile(),
    );
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.name;
    for (const { id, name: item, name_here: itemHere } of page)
      for await (const { version, pieces } of versionsOf(database, id, slices, isOwn))
        for (const row of pieces) {
          const { id: _, is_default: __, copied: ___, ...piece } = pieceOf(row);
          const { provider, architecture } = piece;
          yield {
            item,
            item_here: itemHere,
            version: version.version,
            ...piece,
            url_here: fetchable.has(piece.state)
              ? urlHere({ item: itemHere, version: version.version, provider, architecture })
              : '',
            time: new Date(row.updated_at).toISOString(),
          };
        }
  }
}

/**
 * The versions of an item, newest first, with their pieces in order. One item can have 10,000 versions and 20,000
 * pieces, so they are read in slices.
 * @param only a further condition
 */
export async function* versionsOf(
  database: Database,
  itemId: string,
  slices: Slices,
  only: RawBuilder<SqlBool> = sql<SqlBool>`1 = 1`,
): AsyncGenerator<{ readonly version: MoveVersionRow; readonly pieces: readonly MovePieceRow[] }> {
  const { build } = database;
  for (let offset = 0; ; offset += versionPage) {
    await slices.giveWay();
    const versions = await database.all(
      build
        .selectFrom('move_version')
        .selectAll()
        .where('item_id', '=', itemId)
        .where(only)
        .orderBy('rank')
        .limit(versionPage)
        .offset(offset)
        .compile(),
    );
    if (versions.length === 0) return;
    const ids = versions.map(({ id }) => id);
    const pieces: MovePieceRow[] = [];
    for (let isOver = false; !isOver;) {
      await slices.giveWay();
      const last = pieces.at(-1);
      let query = build.selectFrom('move_piece').selectAll().where('version_id', 'in', ids).where(only);
      if (last !== undefined)
        query = query.where(sql<SqlBool>`(version_id, place) > (${last.version_id}, ${bigint(last.place)})`);
      const page = await database.all(
        query.orderBy('version_id').orderBy('place').limit(piecePage).compile(),
      );
      pieces.push(...page);
      isOver = page.length < piecePage;
    }
    const own = Map.groupBy(pieces, ({ version_id }) => version_id);
    for (const version of versions) yield { version, pieces: own.get(version.id) ?? [] };
  }
}

/** The line of an unreadable item, which has no pieces. */
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

export function pieceOf(row: MovePieceRow): MoveVersion['pieces'][number] {
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
