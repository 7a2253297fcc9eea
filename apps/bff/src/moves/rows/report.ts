/** The report of a move: the outcome of each piece, and of each unreadable item. */
import { pieceStates } from '@gatehouse/api-types/console/move-values';
import type { MoveReportLine, MoveVersion } from '@gatehouse/api-types/console/moves';
import { sql, type SqlBool } from 'kysely';
import type { Database } from '#store/database.ts';
import type { MovePieceRow, MoveRow } from '#store/schema.ts';

/** Address at which clients get a piece here. */
export type UrlHere = (at: {
  readonly item: string;
  readonly version: string;
  readonly provider: string;
  readonly architecture: string;
}) => string;

/** States of pieces that can be fetched here. */
const fetchable: ReadonlySet<string> = new Set(['here', 'copied', 'linked']);
/** Items read at a time: those without pieces, and those with pieces. */
const reportPage = 500;
const itemPage = 20;

/** Unreadable items, then all pieces, both by name. The report ends when another user takes the move over. */
export async function* readReport(
  database: Database,
  { id: moveId, person_id: personId }: Pick<MoveRow, 'id' | 'person_id'>,
  urlHere: UrlHere,
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
        .limit(reportPage)
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
        .select(['id', 'name'])
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
    const rows = await database.all(
      build
        .selectFrom('move_piece')
        .innerJoin('move_item', 'move_item.id', 'move_piece.item_id')
        .innerJoin('move_version', 'move_version.id', 'move_piece.version_id')
        .selectAll('move_piece')
        .select(['move_item.name', 'move_item.name_here', 'move_version.version'])
        .where(
          'move_piece.item_id',
          'in',
          page.map(({ id }) => id),
        )
        .where(isOwn)
        .orderBy('move_item.name')
        .orderBy('move_version.rank')
        .orderBy('move_piece.place')
        .compile(),
    );
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
