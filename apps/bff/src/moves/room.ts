/** Room in the spool for what moves receive, beside the uploads of people. */
import type { Database } from '#store/database.ts';
import { inSpool } from '#uploads/in-spool.ts';
import type { Spool } from '#uploads/spool.ts';
import type { Reception } from './receive.ts';

export function createRoom(database: Database, spool: Spool): Reception['checkRoom'] {
  return async (piece, size) => {
    const rows = (await inSpool(database)).filter(({ id }) => id !== piece.id);
    const own = await database.get(
      database.build.selectFrom('move').select('person_id').where('id', '=', piece.move_id).compile(),
    );
    const sum = (some: typeof rows): number => some.reduce((total, row) => total + row.size, 0);
    await spool.checkRoom(size - piece.received, {
      promised: sum(rows) + piece.received,
      promisedToPerson: sum(rows.filter(({ person_id }) => person_id === own?.person_id)) + piece.received,
      missing: rows.reduce((total, row) => total + row.size - row.received, 0),
    });
  };
}
