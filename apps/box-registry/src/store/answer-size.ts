import { sql } from 'kysely';
import { unprocessable } from '../domain/refusal.ts';
import type { RegistryWriter } from './database.ts';

/** Most bytes of one version with its providers in an answer: each request about the version reads all of them. */
const mostOfVersion = 512 * 1024;
/** Most bytes of all versions of a box in its answer. */
const mostOfBox = 8 * 1024 * 1024;

/**
 * Stores the size of a version in answers after a change of it or its providers: about the bytes of its JSON, and an
 * allowance for sorting it among the others.
 * @throws Refusal `unprocessable` if it has grown, and it or its box is over the limit
 */
export function sizeVersion(tx: RegistryWriter, id: string): void {
  const version = tx.build.selectFrom('version').where('id', '=', id);
  const before = tx.get(version.select('size').compile());
  tx.run(
    sql`
      UPDATE version SET size = 2000 + 32 * octet_length(version) + octet_length(json_quote(description)) + coalesce((
        SELECT sum(500 + octet_length(version.version) + 2 * octet_length(name) + 2 * octet_length(architecture)
          + octet_length(json_quote(url)) + coalesce(octet_length(checksum), 64))
        FROM provider WHERE version_id = version.id
      ), 0) WHERE id = ${id}`.compile(tx.build),
  );
  const after = tx.get(version.select(['box_id', 'size']).compile());
  if (before === undefined || after === undefined || after.size <= before.size) return;
  if (after.size > mostOfVersion)
    throw unprocessable(
      'A version and its providers can take up at most 512 KiB in total: shorten its description or URLs, or delete providers first',
    );
  const all = tx.get(
    tx.build
      .selectFrom('version')
      .select(({ fn }) => fn.sum<number>('size').as('size'))
      .where('box_id', '=', after.box_id)
      .compile(),
  );
  if ((all?.size ?? 0) > mostOfBox)
    throw unprocessable(
      'The versions and providers of a box can take up at most 8 MiB in total: delete some, or shorten descriptions and URLs first',
    );
}
