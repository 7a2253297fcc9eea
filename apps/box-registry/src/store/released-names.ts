import { sql } from 'kysely';
import { nameKey } from '../domain/names.ts';
import type { RegistryReader, RegistryWriter } from './database.ts';

/** Reserves the name of a box's owner, because clients may request the released box from any owner of the name. */
export function keepReleasedName(tx: RegistryWriter, boxId: string): void {
  const owner = sql`SELECT name_key, account_id FROM namespace
    WHERE id = (SELECT namespace_id FROM box WHERE id = ${boxId})`;
  const lastUser = sql`account_id = coalesce(excluded.account_id, released_name.account_id)`;
  const reserve = sql`INSERT INTO released_name ${owner} ON CONFLICT (name_key) DO UPDATE SET ${lastUser}`;
  tx.run(reserve.compile(tx.build));
}

/** Reserves the new name of a user's boxes too, if the former one is reserved. Both are name keys. */
export function moveReleasedName(tx: RegistryWriter, former: string, key: string): void {
  const reserved = sql`SELECT ${key}, account_id FROM released_name WHERE name_key = ${former}`;
  tx.run(sql`INSERT OR IGNORE INTO released_name ${reserved}`.compile(tx.build));
}

/** Whether a name is reserved for someone other than the user `accountId`: for its former owner, or for nobody. */
export function isReservedName(reader: RegistryReader, name: string, accountId: string): boolean {
  const query = reader.build.selectFrom('released_name').selectAll().where('name_key', '=', nameKey(name));
  const row = reader.get(query.compile());
  return row !== undefined && row.account_id !== accountId;
}
