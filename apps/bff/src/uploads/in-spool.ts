/** What is in the spool, or has room reserved there: images of browsers and of moves. */
import { sql, type SqlBool } from 'kysely';
import type { EnvironmentConfig } from '#config/config.ts';
import { countedIds } from '#session/people.ts';
import type { Database } from '#store/database.ts';
import { fileStates } from './file-states.ts';
import type { Taken } from './spool.ts';

interface Spooled {
  readonly id: string;
  readonly person_id: string;
  /** Reserved bytes and received bytes. */
  readonly size: number;
  readonly received: number;
}

/** Most bytes reserved beyond the received ones, so that the announcement of a large file takes no room from others. */
export const promisedAhead = 64 * 1024 * 1024;

/** Images of publishing runs, whose files are, or will be, in the spool. */
export async function uploadsInSpool(database: Database): Promise<Spooled[]> {
  const rows = await database.all(
    database.build
      .selectFrom('publish_upload')
      .select(['id', 'person_id', 'size', 'received'])
      .where('state', 'in', [...fileStates])
      .where((eb) => eb.or([eb('retry', 'is', null), eb('retry', '<>', 'send')]))
      .compile(),
  );
  return rows.map((row) => ({ ...row, size: Math.min(row.size, row.received + promisedAhead) }));
}

/**
 * All images. Waiting and resting pieces of a move count with their used room, because nothing more is reserved yet.
 */
async function inSpool(database: Database): Promise<Spooled[]> {
  const moved = await database.all(
    database.build
      .selectFrom('move')
      .innerJoin('move_piece', 'move_piece.move_id', 'move.id')
      .select([
        'move_piece.id',
        'move.person_id',
        sql<number>`case when move.state = 'copying' and move_piece.state = 'copying' and reserved > received
          then reserved else received end`.as('size'),
        'move_piece.received',
      ])
      .where(sql<SqlBool>`(move_piece.received > 0 or move_piece.state = 'copying')`)
      .where(sql<SqlBool>`(move_piece.received > 0 or move.state = 'copying')`)
      .compile(),
  );
  return [...(await uploadsInSpool(database)), ...moved];
}

/** The room used besides what one file still has to receive: by other files, and by its own received bytes. */
export async function takenBeside(
  database: Database,
  environments: readonly EnvironmentConfig[],
  file: Pick<Spooled, 'id' | 'received' | 'person_id'>,
): Promise<Taken> {
  const others = (await inSpool(database)).filter(({ id }) => id !== file.id);
  const ids = countedIds(environments, file.person_id);
  const own = others.filter(({ person_id }) => ids.includes(person_id));
  const sum = (some: readonly Spooled[]): number => some.reduce((total, { size }) => total + size, 0);
  const missing = (some: readonly Spooled[]): number =>
    some.reduce((total, { size, received }) => total + size - received, 0);
  return {
    promised: sum(others) + file.received,
    promisedToAccount: sum(own) + file.received,
    missing: missing(others),
    missingOfAccount: missing(own),
  };
}
