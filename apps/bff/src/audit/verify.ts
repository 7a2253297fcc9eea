import type { Verification } from '@gatehouse/api-types/console/activity';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql } from 'kysely';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';
import { hashOf, numberColumns } from './chain.ts';
import { headSeal, type AuditKeys } from './keys.ts';

type Fault = Verification['faults'][number];

/** Rows that are read at a time. */
const batchSize = 250;
/** Most reported faults. */
const faultLimit = 100;

/**
 * Verifies the whole chain up to `head`: every row exists, matches its hash, and names the hash of the previous row.
 * The head is signed, which detects that the end was cut off and the head moved back. Rows outside the chain are
 * reported too, because they would be shown as outcomes of the entries that they name.
 * @throws HttpError 499 when the client has left
 */
export async function verifyChain(
  database: Database,
  head: AuditHeadRow,
  keys: AuditKeys,
  slices: Slices,
): Promise<Omit<Verification, 'checked_at'>> {
  const faults: Fault[] = [];
  let rows = 0;
  let previous: Pick<AuditRow, 'sequence' | 'hash'> = { sequence: 0, hash: '0'.repeat(64) };
  const missing = (before: number): void => {
    for (let sequence = previous.sequence + 1; sequence < before && faults.length < faultLimit; sequence++) {
      faults.push({ sequence, fault: 'missing' });
    }
  };
  const changed = (sequence: number): void => {
    if (faults.at(-1)?.sequence !== sequence) faults.push({ sequence, fault: 'changed' });
  };
  const faultOf = async (row: AuditRow): Promise<Fault['fault'] | undefined> => {
    const key = await keys.find(row.key_id);
    if (key === undefined) return 'key-missing';
    if (!isStorable(row)) return 'changed';
    if (hashOf(row, key) === row.hash) return undefined;
    return (await isMoved(database, row, key)) ? 'moved' : 'changed';
  };

  for (let read = batchSize; read === batchSize && faults.length < faultLimit;) {
    await slices.giveWay();
    const batch = await rowsAfter(database, previous.sequence, head.sequence);
    read = batch.length;
    for (const row of batch) {
      await slices.giveWay();
      const follows = row.sequence === previous.sequence + 1;
      missing(row.sequence);
      const fault = await faultOf(row);
      if (fault !== undefined) {
        faults.push({ sequence: row.sequence, fault });
      } else if (follows && row.previous_hash !== previous.hash) {
        // This row is intact and names another hash, so the previous row was replaced together with its hash.
        changed(previous.sequence === 0 ? row.sequence : previous.sequence);
      }
      previous = row;
      rows += 1;
    }
  }
  missing(head.sequence + 1);
  if (previous.sequence === head.sequence && previous.hash !== head.hash) changed(head.sequence);
  if (faults.length === 0 && !(await isSealed(head, keys))) {
    faults.push({ sequence: head.sequence, fault: 'cut' });
  }
  if (faults.length < faultLimit) {
    for (const sequence of await rowsOutside(database)) faults.push({ sequence, fault: 'added' });
  }
  return {
    intact: faults.length === 0,
    rows,
    head: { sequence: head.sequence, hash: head.hash },
    faults: faults.slice(0, faultLimit),
  };
}

/** Whether the head's signature is valid. Each head has one since the first key. */
async function isSealed(head: AuditHeadRow, keys: AuditKeys): Promise<boolean> {
  if (head.key_id === null || head.seal === null) return false;
  const key = await keys.find(head.key_id);
  return key !== undefined && headSeal(head, { id: head.key_id, key }) === head.seal;
}

function rowsAfter(database: Database, after: number, upTo: number): Promise<AuditRow[]> {
  return database.all(
    database.build
      .selectFrom('audit')
      .selectAll()
      .where('sequence', '>', after)
      .where('sequence', '<=', upTo)
      .orderBy('sequence')
      .limit(batchSize)
      .compile(),
  );
}

/** Rows before the chain, and after its current head: rows may have been appended during the verification. */
async function rowsOutside(database: Database): Promise<readonly number[]> {
  const rows = await database.all(
    sql<Pick<AuditRow, 'sequence'>>`select sequence from audit where sequence < 1
      union all select sequence from audit where sequence > (select sequence from audit_head)
      order by sequence limit ${sql.lit(faultLimit)}`.compile(database.build),
  );
  return rows.map(({ sequence }) => sequence);
}

/**
 * Whether the console can have stored the row. SQLite's tables accept values of any type, and JSON, which is hashed,
 * writes infinite numbers as null: an entry with such an intent would have the hash of an entry without an intent.
 */
function isStorable(row: AuditRow): boolean {
  return Object.entries(row).every(([column, value]: readonly [string, unknown]) =>
    numberColumns.has(column)
      ? Number.isSafeInteger(value) || (value === null && column === 'intent')
      : value === null || typeof value === 'string',
  );
}

/** Whether the row is intact at another place: after the row whose hash it names. */
async function isMoved(database: Database, row: AuditRow, key: Buffer): Promise<boolean> {
  const names = await database.all(
    database.build.selectFrom('audit').select('sequence').where('hash', '=', row.previous_hash).compile(),
  );
  // That row may have been moved too. Then the row's own place is next to it.
  const places = new Set([...names.map(({ sequence }) => sequence + 1), row.sequence - 1, row.sequence + 1]);
  return [...places].some((sequence) => hashOf({ ...row, sequence }, key) === row.hash);
}
