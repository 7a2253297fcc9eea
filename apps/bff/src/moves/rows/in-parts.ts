/** Work on all rows of a move, which may have a hundred thousand. */
import { Slices } from '@gatehouse/service-kit/slices';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#store/database.ts';

/** Rows that one statement changes, with their entries in several indexes. */
export const partSize = 200;

/** The work of nobody's request. */
const slicesOfNobody = () => new Slices(() => false, { name: 'rows of moves', isKnown: true });

/** Repeats a change of at most `partSize` rows until none is left, and lets others continue after each. */
export async function inParts(change: () => Promise<number>): Promise<void> {
  const slices = slicesOfNobody();
  do await slices.giveWay();
  while ((await change()) > 0);
}

/** The column that orders a table's rows of a move, and how many rows one statement reads, by table. */
const read = { move_item: ['name', 100], move_version: ['id', 2_000], move_piece: ['id', 2_000] } as const;

/** Gives way before each part of a move's rows. @returns the conditions of the parts */
export async function* partsOf(
  { build, get }: Pick<Database, 'build' | 'get'>,
  table: keyof typeof read,
  moveId: string,
  slices: Slices,
  size: number = read[table][1],
): AsyncGenerator<RawBuilder<SqlBool>> {
  const [column] = read[table];
  const at = sql.ref(`${table}.${column}`);
  for (let part = sql<SqlBool>`move_id = ${moveId}`; ;) {
    await slices.giveWay();
    const end = sql<{ at: string }>`select ${at} as at from ${sql.table(table)} where ${part}
      order by ${at} limit 1 offset ${size - 1}`;
    const last = (await get(end.compile(build)))?.at;
    if (last === undefined) {
      yield part;
      return;
    }
    yield sql<SqlBool>`${part} and ${at} <= ${last}`;
    part = sql<SqlBool>`move_id = ${moveId} and ${at} > ${last}`;
  }
}

/**
 * Changes a move's rows in parts, and lets others continue after each. No row is read twice: a change that is repeated
 * until none is left would pass over the changed ones each time.
 * @param change for the rows that meet a part's condition
 */
export async function changeParts(
  database: Database,
  table: 'move_version' | 'move_piece',
  moveId: string,
  change: (part: RawBuilder<SqlBool>) => CompiledQuery,
): Promise<void> {
  for await (const part of partsOf(database, table, moveId, slicesOfNobody(), partSize))
    await database.run(change(part));
}

/** The number of a move's versions that meet a condition. */
export async function countVersions(
  database: Database,
  moveId: string,
  only: RawBuilder<SqlBool>,
  slices: Slices,
): Promise<number> {
  const versions = database.build.selectFrom('move_version').select(sql<number>`count(*)`.as('count'));
  let sum = 0;
  for await (const part of partsOf(database, 'move_version', moveId, slices))
    sum += (await database.get(versions.where(part).where(only).compile()))?.count ?? 0;
  return sum;
}
