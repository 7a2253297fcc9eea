import type { Verification } from '@gatehouse/api-types/console/activity';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';
import { hashOf } from './chain.ts';

type Fault = Verification['faults'][number];

/** Rows that are read at a time. */
const batchSize = 1_000;
/** Faults that are told at most. */
const faultLimit = 100;

/**
 * Checks the whole chain up to `head`: every row is there, has the hash of its content and names the hash of the one
 * before. Rows that were dropped at the end are missed too, for the head is kept apart.
 */
export async function verifyChain(
  database: Database,
  head: Pick<AuditHeadRow, 'sequence' | 'hash'>,
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

  for (let read = batchSize; read === batchSize && faults.length < faultLimit;) {
    const batch = await rowsAfter(database, previous.sequence, head.sequence);
    read = batch.length;
    for (const row of batch) {
      const follows = row.sequence === previous.sequence + 1;
      missing(row.sequence);
      if (hashOf(row) !== row.hash) {
        faults.push({ sequence: row.sequence, fault: (await isMoved(database, row)) ? 'moved' : 'changed' });
      } else if (follows && row.previous_hash !== previous.hash) {
        // This row is whole and names another hash: the one before was replaced together with its hash.
        changed(previous.sequence === 0 ? row.sequence : previous.sequence);
      }
      previous = row;
      rows += 1;
    }
  }
  missing(head.sequence + 1);
  if (previous.sequence === head.sequence && previous.hash !== head.hash) changed(head.sequence);
  return {
    intact: faults.length === 0,
    rows,
    head: { sequence: head.sequence, hash: head.hash },
    faults: faults.slice(0, faultLimit),
  };
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

/** Whether the row is whole at another place: behind the row whose hash it names. */
async function isMoved(database: Database, row: AuditRow): Promise<boolean> {
  const names = await database.all(
    database.build.selectFrom('audit').select('sequence').where('hash', '=', row.previous_hash).compile(),
  );
  // That row may have been moved as well: then its own place is among the neighbours.
  const places = new Set([...names.map(({ sequence }) => sequence + 1), row.sequence - 1, row.sequence + 1]);
  return [...places].some((sequence) => hashOf({ ...row, sequence }) === row.hash);
}
