import { createHmac } from 'node:crypto';
import type { Log } from '@gatehouse/service-kit/log';
import { writeFor } from '@gatehouse/service-kit/write-queue';
import { sql, type CompiledQuery } from 'kysely';
import type { Database } from '#store/database.ts';
import type { AuditHeadRow, AuditRow } from '#store/schema.ts';
import { headSeal, type AuditKey } from './keys.ts';

/** The content of a row, before it has its place in the chain. */
export type AuditEvent = Omit<AuditRow, 'sequence' | 'previous_hash' | 'key_id' | 'hash'>;

/** Further statements of the transaction that appends a row. Each takes effect only if the row is appended. */
export type AlongWith = (row: AuditRow, appended: Appended) => readonly CompiledQuery[];

/** Makes statements that take effect only if the row is appended. */
export interface Appended {
  insert(
    table: 'audit' | 'audit_open' | 'audit_values',
    values: Readonly<Record<string, string | number | null>>,
  ): CompiledQuery;
  /** Forgets what an intent requested, because its outcome is known. */
  close(intent: number): CompiledQuery;
}

/** Appends rows to the audit trail. Each row contains the hash of the previous row. */
export type AuditChain = ReturnType<typeof auditChain>;

/** Most rows of a transaction. */
const groupSize = 128;
/** The log reports the trail's position each time it has grown by this number of rows. */
const checkpointEvery = 1_000;
/** Most attempts to append rows to a new head after another replica was faster. */
const attemptLimit = 200;

/** Who writes the rows: not the user whose row came first. */
const trail = { name: 'audit trail', isKnown: true };

interface Waiting {
  readonly event: AuditEvent;
  readonly along: AlongWith | undefined;
  readonly resolve: (row: AuditRow) => void;
  readonly reject: (error: unknown) => void;
}

/** @param key signs new rows */
export function auditChain(database: Database, key: AuditKey, log: Log) {
  const { build } = database;
  /** Waiting rows by user, or by address before the sign-in, in the order of their turns. */
  const waiting = new Map<string, Waiting[]>();
  let working: Promise<void> | undefined;
  /** The head as this process knows it. Another replica may have appended rows since. */
  let known: AuditHeadRow | undefined;
  /** The last sequence that this process has seen. */
  let latest = 0;
  /** Whether the log has reported the trail's position at the start of this process. */
  let hasSaid = false;
  /** Rows by event that are perhaps stored, because the answer to their commit was lost. */
  const doubtful = new WeakMap<AuditEvent, AuditRow>();

  const readHead = async (): Promise<AuditHeadRow> => {
    const seen = latest;
    const row = await database.get(build.selectFrom('audit_head').selectAll().compile());
    if (row === undefined) throw new Error('the audit trail has no head row');
    // An earlier head with the rows before it verifies: without this line, only the log's checkpoints would show the loss.
    if (row.sequence < seen) log.error('audit trail moved back', { count: row.sequence });
    latest = row.sequence;
    return row;
  };

  /** Whether a row is stored though its transaction failed. Waits for that transaction, which has locked the head. */
  const isStored = async ({ sequence, hash }: AuditRow): Promise<boolean> => {
    await database.run(
      build
        .updateTable('audit_head')
        .set((eb) => ({ id: eb.ref('id') }))
        .compile(),
    );
    const row = await database.get(
      build.selectFrom('audit').select('hash').where('sequence', '=', sequence).compile(),
    );
    return row?.hash === hash;
  };

  const find = async (event: AuditEvent): Promise<AuditRow | undefined> => {
    const row = doubtful.get(event);
    const isThere = row !== undefined && (await isStored(row));
    doubtful.delete(event);
    return isThere ? row : undefined;
  };

  /** Appends the rows to `head`. @returns undefined if it is no longer the head */
  const write = async (group: readonly Waiting[], head: AuditHeadRow): Promise<AuditRow[] | undefined> => {
    const rows: AuditRow[] = [];
    for (const { event } of group) {
      const before: Pick<AuditRow, 'sequence' | 'hash'> = rows.at(-1) ?? head;
      rows.push(linked(event, before, key));
    }
    const last = rows.at(-1);
    if (last === undefined) return rows;
    const appended: Appended = {
      insert: (table, values) => {
        const columns = Object.keys(values).map((name) => sql.ref(name));
        const cells = Object.entries(values).map(([name, value]) =>
          numberColumns.has(name) ? sql`cast(${value} as bigint)` : sql`cast(${value} as text)`,
        );
        return sql`insert into ${sql.table(table)} (${sql.join(columns)})
          select ${sql.join(cells)} from audit_head where hash = ${last.hash}`.compile(build);
      },
      close: (intent) =>
        build
          .deleteFrom('audit_open')
          .where('intent', '=', intent)
          .where((eb) => eb.exists(eb.selectFrom('audit_head').select('id').where('hash', '=', last.hash)))
          .compile(),
    };
    const statements = [
      build
        .updateTable('audit_head')
        .set({ sequence: last.sequence, hash: last.hash, key_id: key.id, seal: headSeal(last, key) })
        .where('sequence', '=', head.sequence)
        .where('hash', '=', head.hash)
        .compile(),
      ...rows.map((row) => appended.insert('audit', { ...row })),
      ...rows.flatMap((row, index) => group[index]?.along?.(row, appended) ?? []),
    ];
    try {
      const [moved] = await database.batch(statements);
      if (moved !== 1) return undefined;
    } catch (error) {
      // SQLite keeps nothing of a failed transaction. Of PostgreSQL's, only the answer may have failed.
      if (!database.shared) throw error;
      const stored = await isStored(last).catch(() => undefined);
      if (stored === undefined)
        for (const [index, row] of rows.entries()) {
          const event = group[index]?.event;
          if (event !== undefined) doubtful.set(event, row);
        }
      if (stored !== true) throw error;
    }
    latest = last.sequence;
    known = { id: head.id, sequence: last.sequence, hash: last.hash, key_id: key.id, seal: null };
    const joins = head.key_id !== key.id;
    if (!hasSaid || joins || thousand(head.sequence) < thousand(last.sequence))
      checkpoint(joins ? 'audit trail uses a new key' : 'audit checkpoint', last);
    hasSaid = true;
    return rows;
  };

  /**
   * Reports the position in the log. The log is kept elsewhere, so someone who replaces the whole trail can't change
   * it.
   */
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

  /** An owner that had a turn moves behind the others, so a flood by one delays the others by one group. */
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

  const queue = (event: AuditEvent, along: AlongWith | undefined): Promise<AuditRow> =>
    new Promise((resolve, reject) => {
      const who = event.person_id || event.address;
      const own = waiting.get(who) ?? [];
      own.push({ event, along, resolve, reject });
      waiting.set(who, own);
      working ??= writeFor(() => trail, work);
    });

  return {
    /**
     * Appends one row durably. Concurrent rows share a transaction, in which users take turns; replicas append to the
     * same chain.
     * @param event the same object again if it failed, so that it is never appended twice
     * @throws StoreUnavailable, or the database's error; only `find` knows whether the row was appended then
     */
    append: (event: AuditEvent, along?: AlongWith): Promise<AuditRow> =>
      doubtful.has(event) ? find(event).then((row) => row ?? queue(event, along)) : queue(event, along),
    /**
     * The row of an event that was appended though `append` failed, because the answer to the commit was lost.
     * @throws StoreUnavailable, or the database's error, if that can't be known yet
     */
    find,
    /** The last row's sequence and hash; sequence 0 before the first row. */
    head: readHead,
    /** Waits for the rows in progress. */
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
 * The hash of a row, in hexadecimal: HMAC-SHA-256 over a JSON array of the form's name, the key's ID and every column
 * but the hash, in the order below.
 * @param key the key that `key_id` names
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
