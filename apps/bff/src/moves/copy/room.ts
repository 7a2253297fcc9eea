/** Room in the spool for moves, besides users' uploads. */
import type { EnvironmentConfig } from '#config/config.ts';
import type { Database } from '#store/database.ts';
import { takenBeside } from '#uploads/in-spool.ts';
import type { Spool } from '#uploads/spool.ts';
import type { Reception } from './receive.ts';

export function createRoom(
  database: Database,
  spool: Spool,
  environments: readonly EnvironmentConfig[],
): Reception['checkRoom'] {
  return async ({ id, move_id, received }, size) => {
    const owner = await database.get(
      database.build.selectFrom('move').select('person_id').where('id', '=', move_id).compile(),
    );
    const taken = await takenBeside(database, environments, {
      id,
      received,
      person_id: owner?.person_id ?? '',
    });
    await spool.checkRoom(size - received, taken);
  };
}
