import { createHmac } from 'node:crypto';
import type { Log } from '@gatehouse/service-kit/log';
import { sql, type CompiledQuery } from 'kysely';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';
import { headSeal, type AuditKey } from './keys.ts';

/** What a row tells, before it has its place in the chain. */
export type AuditEvent = Omit<AuditRow, 'sequence' | 'previous_hash' | 'key_id' | 'hash'>;

/** Statements that are run in the transaction that appends a row, each only if it does. */
export type AlongWith = (row: AuditRow, appended: Appended) => readonly CompiledQuery[];

/** Makes an insertion that happens only where the row was appended. */
export type Appended = (
  table: 'audit' | 'audit_open',
  values: Readonly<Record<string, string | number | null>>,
) => CompiledQuery;

/** The rows of the audit trail, each of which holds the hash of the one before. */
export type AuditChain = ReturnType<typeof auditChain>;

/** Rows that share a transaction at most. */
const groupSize = 128;
/** A row of the log says how far the trail is after every so many of its rows. */
const checkpointEvery = 1_000;
/** Times that rows are put on a new head after another replica was quicker. */
const attemptLimit = 200;

interface Waiting {
  readonly event: AuditEvent;
  readonly along: AlongWith | undefined;
  readonly resolve: (row: AuditRow) => void;
  readonly reject: (error: unknown) => void;
}

/** @param key what new rows are keyed by */
export function auditChain(database: Database, key: AuditKey, log: Log) {
  const { build } = database;
  /** By person, or by address before somebody has signed in, in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  let working: Promise<void> | undefined;
  /** As far as this process knows; another replica may have gone on. */
  let known: AuditHeadRow | undefined;
  /** The last sequence that this process has seen. */
  let latest = 0;
  /** Whether the log knows how far the trail was when this process began. */
  let hasSaid = false;

  const readHead = async (): Promise<AuditHeadRow> => {
    const seen = latest;
    const row = await database.get(build.selectFrom('audit_head').selectAll().compile());
    if (row === undefined) throw new Error('the audit trail has no head row');
    // An earlier head with the rows before it verifies: without this line, only the log's checkpoints would show the loss.
    if (row.sequence < seen) log.error('audit trail was set back', { count: row.sequence });
    latest = row.sequence;
    return row;
  };

  /** Appends the rows on `head` unless it is not the head any more. */
  const write = async (group: readonly Waiting[], head: AuditHeadRow): Promise<AuditRow[] | undefined> => {
    const rows: AuditRow[] = [];
    for (const { event } of group) {
      const before: Pick<AuditRow, 'sequence' | 'hash'> = rows.at(-1) ?? head;
      rows.push(linked(event, before, key));
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
        .set({ sequence: last.sequence, hash: last.hash, key_id: key.id, seal: headSeal(last, key) })
        .where('sequence', '=', head.sequence)
        .where('hash', '=', head.hash)
        .compile(),
      ...rows.map((row) => appended('audit', { ...row })),
      ...rows.flatMap((row, index) => group[index]?.along?.(row, appended) ?? []),
    ]);
    if (counts[0] !== 1) return undefined;
    latest = last.sequence;
    known = { id: head.id, sequence: last.sequence, hash: last.hash, key_id: key.id, seal: null };
    const joins = head.key_id !== key.id;
    if (!hasSaid || joins || thousand(head.sequence) < thousand(last.sequence))
      checkpoint(joins ? 'audit trail uses a new key' : 'audit checkpoint', last);
    hasSaid = true;
    return rows;
  };

  /** The log is kept elsewhere: whoever replaces the whole trail can't replace what it says. */
  const checkpoint = (what: string, { sequence, hash }: Pick<AuditRow, 'sequence' | 'hash'>): void =>
    log.info(what, { count: sequence, hash });

  const appendGroup = async (group: readonly Waiting[]): Promise<void> => {
    try {
      for (let attempt = 1; ; attempt++) {
        const rows = await write(group, known ?? (await readHead()));
        if (rows !== undefined) {
          for (const [index, row] of rows.entries()) group[index]?.resolve(row);
          return;
        }
        known = undefined;
        if (attempt >= attemptLimit) throw new Error('the audit trail has too many concurrent writers');
      }
    } catch (error) {
      known = undefined;
      for (const { reject } of group) reject(error);
    }
  };

  /** Whoever had a turn is behind everyone else who waits: a flood of one person's delays others by one group. */
  const nextGroup = (): Waiting[] => {
    const group: Waiting[] = [];
    for (const [who, own] of waiting) {
      waiting.delete(who);
      group.push(...own.splice(0, 1));
      if (own.length > 0) waiting.set(who, own);
      if (group.length === groupSize) break;
    }
    return group;
  };

  const work = async (): Promise<void> => {
    while (waiting.size > 0) await appendGroup(nextGroup());
    working = undefined;
  };

  return {
    /**
     * Appends one row durably. Many at once share a transaction, in which people take turns; replicas append to one chain.
     * @throws StoreUnavailable, or what the database threw: then nothing was appended
     */
    append: (event: AuditEvent, along?: AlongWith): Promise<AuditRow> =>
      new Promise((resolve, reject) => {
        const who = event.person_id || event.address;
        const own = waiting.get(who) ?? [];
        own.push({ event, along, resolve, reject });
        waiting.set(who, own);
        working ??= work();
      }),
    /** The last row's sequence and hash; sequence 0 before the first. */
    head: readHead,
    /** Waits for rows that are being appended. */
    async close(): Promise<void> {
      await working;
      if (known !== undefined) checkpoint('audit checkpoint', known);
    },
  };
}

/** Columns of a row that contain integers; the others contain text. */
export const numberColumns: ReadonlySet<string> = new Set(['sequence', 'time', 'intent']);

function thousand(sequence: number): number {
  return Math.floor(sequence / checkpointEvery);
}

function linked(
  event: AuditEvent,
  before: Pick<AuditRow, 'sequence' | 'hash'>,
  { id, key }: AuditKey,
): AuditRow {
  const row = { ...event, sequence: before.sequence + 1, previous_hash: before.hash, key_id: id, hash: '' };
  return { ...row, hash: hashOf(row, key) };
}

/**
 * The hash of a row, in hex: HMAC-SHA-256 over a JSON array that begins with the name of the form and the key's id, and has
 * every column but the hash itself in the order below.
 * @param key the one that `key_id` names
 */
export function hashOf(row: Omit<AuditRow, 'hash'>, key: Buffer): string {
  const text = JSON.stringify([
    'gatehouse-audit-2',
    row.key_id,
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
  return createHmac('sha256', key).update(text).digest('hex');
}
