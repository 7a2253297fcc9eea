import { createHash } from 'node:crypto';
import { sql, type CompiledQuery } from 'kysely';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';

/** What a row tells, before it has its place in the chain. */
export type AuditEvent = Omit<AuditRow, 'sequence' | 'previous_hash' | 'hash'>;

/** Statements that are run in the transaction that appends a row, each only if it does. */
export type AlongWith = (row: AuditRow, appended: Appended) => readonly CompiledQuery[];

/** Makes an insertion that happens only where the row was appended. */
export type Appended = (
  table: 'audit' | 'audit_open',
  values: Readonly<Record<string, string | number | null>>,
) => CompiledQuery;

/** The rows of the audit trail, each of which holds the hash of the one before. */
export interface AuditChain {
  /**
   * Appends one row durably. Many at once share a transaction; replicas append to one chain.
   * @throws StoreUnavailable, or what the database threw: then nothing was appended
   */
  append(event: AuditEvent, along?: AlongWith): Promise<AuditRow>;
  /** The last row's sequence and hash; sequence 0 before the first. */
  head(): Promise<AuditHeadRow>;
  /** Waits for rows that are being appended. */
  close(): Promise<void>;
}

/** Rows that share a transaction at most. */
const groupSize = 128;
/** Times that rows are put on a new head after another replica was quicker. */
const attemptLimit = 200;

interface Waiting {
  readonly event: AuditEvent;
  readonly along: AlongWith | undefined;
  readonly resolve: (row: AuditRow) => void;
  readonly reject: (error: unknown) => void;
}

export function auditChain(database: Database): AuditChain {
  const { build } = database;
  const waiting: Waiting[] = [];
  let working: Promise<void> | undefined;
  /** As far as this process knows; another replica may have gone on. */
  let known: AuditHeadRow | undefined;

  const readHead = async (): Promise<AuditHeadRow> => {
    const row = await database.get(build.selectFrom('audit_head').selectAll().compile());
    if (row === undefined) throw new Error('the audit trail has lost its head');
    return row;
  };

  /** Appends the rows on `head` unless it is not the head any more. */
  const write = async (group: readonly Waiting[], head: AuditHeadRow): Promise<AuditRow[] | undefined> => {
    const rows: AuditRow[] = [];
    for (const { event } of group) {
      const before: Pick<AuditRow, 'sequence' | 'hash'> = rows.at(-1) ?? head;
      rows.push(linked(event, before));
    }
    const last = rows.at(-1);
    if (last === undefined) return rows;
    const appended: Appended = (table, values) => {
      const columns = Object.keys(values).map((name) => sql.ref(name));
      const cells = Object.entries(values).map(([name, value]) =>
        numberColumns.has(name) ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`,
      );
      return sql`insert into ${sql.table(table)} (${sql.join(columns)})
        select ${sql.join(cells)} from audit_head where hash = ${last.hash}`.compile(build);
    };
    const counts = await database.batch([
      build
        .updateTable('audit_head')
        .set({ sequence: last.sequence, hash: last.hash })
        .where('sequence', '=', head.sequence)
        .where('hash', '=', head.hash)
        .compile(),
      ...rows.map((row) => appended('audit', { ...row })),
      ...rows.flatMap((row, index) => group[index]?.along?.(row, appended) ?? []),
    ]);
    if (counts[0] !== 1) return undefined;
    known = { id: head.id, sequence: last.sequence, hash: last.hash };
    return rows;
  };

  const appendGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      for (let attempt = 1; ; attempt++) {
        const rows = await write(group, known ?? (await readHead()));
        if (rows !== undefined) {
          for (const [index, row] of rows.entries()) group[index]?.resolve(row);
          return;
        }
        known = undefined;
        if (attempt >= attemptLimit) throw new Error('the audit trail has too many writers');
      }
    } catch (error) {
      known = undefined;
      for (const { reject } of group) reject(error);
    }
  };

  const work = async (): Promise<void> => {
    while (waiting.length > 0) await appendGroup(waiting.splice(0, groupSize));
    working = undefined;
  };

  return {
    append: (event, along) =>
      new Promise((resolve, reject) => {
        waiting.push({ event, along, resolve, reject });
        working ??= work();
      }),
    head: readHead,
    close: async () => working,
  };
}

const numberColumns: ReadonlySet<string> = new Set(['sequence', 'time', 'intent']);

function linked(event: AuditEvent, before: Pick<AuditRow, 'sequence' | 'hash'>): AuditRow {
  const row = { ...event, sequence: before.sequence + 1, previous_hash: before.hash, hash: '' };
  return { ...row, hash: hashOf(row) };
}

/**
 * The hash of a row: SHA-256, in hex, of a JSON array that begins with the name of the form and holds every column but
 * the hash itself in the order below. Whoever has an export of the rows can compute it.
 */
export function hashOf(row: Omit<AuditRow, 'hash'>): string {
  const text = JSON.stringify([
    'gatehouse-audit-1',
    row.sequence,
    row.time,
    row.intent,
    row.person_id,
    row.person_name,
    row.login_name,
    row.session_id,
    row.address,
    row.environment,
    row.service,
    row.action,
    row.resource_kind,
    row.resource_id,
    row.resource_name,
    row.paths,
    row.decisions,
    row.revision_before,
    row.revision_after,
    row.outcome,
    row.problem,
    row.request_id,
    row.previous_hash,
  ]);
  return createHash('sha256').update(text).digest('hex');
}
