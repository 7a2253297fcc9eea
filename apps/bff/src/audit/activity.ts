import {
  activityOutcomes,
  type ActivityEntry,
  type Verification,
} from '@gatehouse/api-types/console/activity';
import { decisions } from '@gatehouse/api-types/console/decisions';
import { serviceName } from '@gatehouse/api-types/console/service';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Slices } from '@gatehouse/service-kit/slices';
import { turns } from '@gatehouse/service-kit/turns';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#store/database.ts';
import type { AuditOpenRow, AuditRow } from '#store/schema.ts';
import {
  conditionsOf,
  partsBySize,
  rangesOf,
  stretchesOf,
  type ActivityFilter,
  type Lead,
  type Stretch,
} from './activity-filter.ts';
import type { AuditChain } from './chain.ts';
import type { AuditKeys } from './keys.ts';
import { sameRecord } from './of-record.ts';
import { text, type AuditTrail } from './trail.ts';
import { verifyChain } from './verify.ts';

/** An entry with its rows. */
export interface FoundEntry {
  readonly entry: ActivityEntry;
  readonly intent: AuditRow;
  /** What was requested; undefined once the outcome is known. */
  readonly open: AuditOpenRow | undefined;
}

/** A page of entries. */
export interface FoundPage {
  readonly entries: readonly FoundEntry[];
  /** Whether more entries follow. A page of large entries ends before its limit. */
  readonly hasMore: boolean;
}

/**
 * Reads the audit trail as entries: an intent with its outcome. Long reads give way to others, and end with HttpError
 * 499 when the client has left.
 */
export type Activity = ReturnType<typeof activity>;

/**
 * How long another process may take for an intent without an outcome, in milliseconds. Longer than any deadline of a
 * call.
 */
const pendingFor = 120_000;
/** Rows of a stretch, which is searched at a time if no index has all results. */
const stretchLength = 10_000;
/** Rows whose texts' sizes are read at once, before a search in the texts. */
const sizesAtOnce = 1_000;
/** Bytes that a search in texts compares at once: the texts' sizes, times the words. These take a few milliseconds. */
const textAtOnce = 2 ** 20;
/** The size of a row's texts apart from the paths, in bytes. */
const otherTexts = 500;
/** The rows that are found by an index at once in a search in texts. */
const fewTexts = 100;
/** Rows read at a time. With the longest lists of paths these are about 4 MB. */
const rowsAtOnce = 100;
/** Characters of paths and decisions after which a page ends. */
const pageCharacters = 2 ** 20;

export function activity(
  database: Database,
  chain: AuditChain,
  trail: AuditTrail,
  clock: Clock,
  keys: AuditKeys,
) {
  const { build } = database;
  const searches = turns({ atOnce: 4, ownAtOnce: 2, mostOwn: Infinity, mostWaiting: Infinity });

  /** Runs a query of a search in its user's turn, because all other work needs PostgreSQL's few connections too. */
  const inTurn = <Result>(slices: Slices, query: () => Promise<Result>): Promise<Result> =>
    searches(slices.asker.name, async () => {
      await slices.giveWay();
      return query();
    });

  /** The condition whose index has all results, if these are few. */
  const leadOf = async (filter: ActivityFilter, slices: Slices): Promise<Lead | undefined> => {
    if (filter.sequence !== undefined) return 'sequence';
    const few = filter.q === undefined ? stretchLength : fewTexts;
    if (filter.q === undefined && (filter.outcome === 'unknown' || filter.outcome === 'pending'))
      return 'outcome';
    for (const column of ['resource_id', 'request_id'] as const) {
      const value = filter[column];
      if (value === undefined) continue;
      const all = build.selectFrom('audit').select('sequence');
      const rows =
        column === 'resource_id' ? all.where(sameRecord(text(value))) : all.where(column, '=', text(value));
      const some = rows.$if(column === 'request_id', (own) => own.where('intent', 'is', null));
      const counted = build
        .selectFrom(some.limit(few).as('some'))
        .select((eb) => eb.fn.countAll<number>().as('rows'));
      const found = await inTurn(slices, () => database.get(counted.compile()));
      if ((found?.rows ?? 0) < few) return column;
    }
    return undefined;
  };

  /** Yields one query per stretch, and gives way between them. */
  async function* inStretches(
    filter: ActivityFilter,
    whole: Stretch,
    slices: Slices,
    newestFirst = false,
  ): AsyncGenerator<ReturnType<typeof matching>> {
    const lead = await leadOf(filter, slices);
    if (lead !== undefined) return yield matching(filter, whole, lead);
    const words = filter.q?.split(/\s+/u).length;
    const length = words === undefined ? stretchLength : sizesAtOnce;
    for (const stretch of stretchesOf(whole, length, newestFirst)) {
      const parts =
        words === undefined
          ? [stretch]
          : partsBySize(await sizesOf(filter, stretch, slices, newestFirst), textAtOnce / words);
      for (const part of parts) yield matching(filter, part, undefined);
    }
  }

  /** The sizes of the texts that a search in a stretch compares, in bytes. */
  const sizesOf = (
    { environment, onlyOf }: ActivityFilter,
    { from, below }: Stretch,
    slices: Slices,
    newestFirst: boolean,
  ) => {
    const size = sql<number>`octet_length(paths) + ${sql.lit(otherTexts)}`;
    const rows = build
      .selectFrom('audit')
      .select(['sequence', size.as('size')])
      .where('intent', 'is', null)
      .where('environment', '=', environment)
      .where('sequence', '>=', from)
      .where('sequence', '<', below)
      .orderBy('sequence', newestFirst ? 'desc' : 'asc');
    // Who signs in isn't known before the outcome.
    const own = rows.$if(onlyOf !== undefined, (all) => all.where('person_id', 'in', [onlyOf ?? '', '']));
    return inTurn(slices, () => database.all(own.compile()));
  };

  /** Selects the open intents that this process is working on, and those that another one may be working on. */
  const pendingIntents = (): RawBuilder<{ readonly intent: number }> => {
    const own = trail.pending.size === 0 ? sql.lit(false) : sql`intent in (${sql.join([...trail.pending])})`;
    // SQLite belongs to one process.
    const byOther = database.shared
      ? sql`instance not like ${`${trail.instance}/%`}
        and exists (select sequence from audit as begun where begun.sequence = audit_open.intent and begun.time > ${clock.now() - pendingFor})`
      : sql.lit(false);
    return sql`select intent from audit_open where (${own} or (${byOther}))
      and not exists (select sequence from audit as known where known.intent = audit_open.intent)`;
  };

  const matching = (filter: ActivityFilter, stretch: Stretch, lead: Lead | undefined) => {
    const query = build
      .selectFrom('audit as e')
      .leftJoin('audit as o', (join) =>
        join
          .onRef('o.intent', '=', 'e.sequence')
          // Repeats the condition on e.sequence. Without it, PostgreSQL would read all outcomes for each stretch.
          .on('o.intent', '>=', stretch.from)
          .on('o.intent', '<', stretch.below)
          .on((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('audit as later')
                  .select('later.sequence')
                  .whereRef('later.intent', '=', 'e.sequence')
                  .whereRef('later.sequence', '>', 'o.sequence'),
              ),
            ),
          ),
      )
      .where('e.intent', 'is', null)
      .where('e.environment', '=', filter.environment)
      .where('e.sequence', '>=', stretch.from)
      .where('e.sequence', '<', stretch.below);
    return conditionsOf(database, filter, stretch, lead, pendingIntents()).reduce(
      (narrowed, condition) => narrowed.where(condition),
      query,
    );
  };

  const found = async (intents: AuditRow[]): Promise<FoundEntry[]> => {
    if (intents.length === 0) return [];
    const sequences = intents.map(({ sequence }) => sequence);
    // Read first: an outcome that is recorded during this is found below.
    const pending = await database.all(pendingIntents().compile(build));
    const isPending = new Set(pending.map(({ intent }) => intent));
    const [outcomes, open] = await Promise.all([
      database.all(
        build.selectFrom('audit').selectAll().where('intent', 'in', sequences).orderBy('sequence').compile(),
      ),
      database.all(build.selectFrom('audit_open').selectAll().where('intent', 'in', sequences).compile()),
    ]);
    // Keeps the last outcome of each intent, because an unknown outcome may have been settled later.
    const outcomeBy = new Map(outcomes.map((row) => [row.intent, row]));
    const openBy = new Map(open.map((row) => [row.intent, row]));
    const names = await namesOf(intents.map((row) => outcomeBy.get(row.sequence) ?? row));
    return intents.map((intent) => ({
      entry: entryOf(intent, outcomeBy.get(intent.sequence), names, isPending.has(intent.sequence)),
      intent,
      open: openBy.get(intent.sequence),
    }));
  };

  const read = async (
    filter: ActivityFilter,
    whole: Stretch,
    limit: number,
    slices: Slices,
    newestFirst = false,
  ): Promise<FoundPage> => {
    const intents: AuditRow[] = [];
    let size = 0;
    for await (const query of inStretches(filter, whole, slices, newestFirst)) {
      const ordered = query.selectAll('e').orderBy('e.sequence', newestFirst ? 'desc' : 'asc');
      for (;;) {
        const last = intents.at(-1)?.sequence;
        const onward =
          last === undefined ? ordered : ordered.where('e.sequence', newestFirst ? '<' : '>', last);
        const asked = Math.min(rowsAtOnce, limit + 1 - intents.length);
        const rows = await inTurn(slices, () => database.all(onward.limit(asked).compile()));
        for (const row of rows) {
          if (intents.length === limit || size > pageCharacters)
            return { entries: await found(intents), hasMore: true };
          intents.push(row);
          size += row.paths.length + row.decisions.length;
        }
        if (rows.length < asked) break;
      }
    }
    return { entries: await found(intents), hasMore: false };
  };

  /** Finds the latest names of resources whose rows have none, such as interrupted updates. */
  const namesOf = async (rows: readonly AuditRow[]): Promise<ReadonlyMap<string, string>> => {
    const nameless = new Map(
      rows
        .filter(({ resource_name: name, resource_id: id }) => name === '' && id !== '')
        .map((row) => [`${row.resource_kind}/${row.resource_id}`, row]),
    );
    const queries = [...nameless.values()].map(
      ({ resource_kind: kind, resource_id: id }) =>
        sql`select * from (select resource_kind, resource_id, resource_name from audit
          where resource_id = ${id} and resource_kind = ${kind} and resource_name <> ''
          order by sequence desc limit 1) as named`,
    );
    const known: Pick<AuditRow, 'resource_kind' | 'resource_id' | 'resource_name'>[] = [];
    for (let at = 0; at < queries.length; at += rowsAtOnce) {
      const some = sql.join(queries.slice(at, at + rowsAtOnce), sql` union all `);
      known.push(...(await database.all(sql<(typeof known)[number]>`${some}`.compile(build))));
    }
    return new Map(known.map((row) => [`${row.resource_kind}/${row.resource_id}`, row.resource_name]));
  };

  return {
    /** Entries older than a sequence, newest first. */
    list: async (
      filter: ActivityFilter,
      { limit, before }: { readonly limit: number; readonly before?: number | undefined },
      slices: Slices,
    ): Promise<FoundPage> => {
      const last = build.selectFrom('audit').select((eb) => eb.fn.max('sequence').as('sequence'));
      const end = ((await inTurn(slices, () => database.get(last.compile())))?.sequence ?? 0) + 1;
      return read(filter, { from: 1, below: Math.min(before ?? end, end) }, limit, slices, true);
    },
    /** Entries after one sequence and up to another, oldest first, in batches for an export. */
    following: (
      filter: ActivityFilter,
      { after, upTo }: { readonly after: number; readonly upTo: number },
      limit: number,
      slices: Slices,
    ): Promise<FoundPage> => read(filter, { from: after + 1, below: upTo + 1 }, limit, slices),
    /** The number of entries, and the last entry's sequence, or 0 without entries. */
    async count(
      filter: ActivityFilter,
      slices: Slices,
    ): Promise<{ readonly entries: number; readonly last: number }> {
      let [entries, last] = [0, 0];
      const whole = { from: 1, below: (await chain.head()).sequence + 1 };
      for await (const query of inStretches(filter, whole, slices)) {
        const sums = query.select((eb) => [
          eb.fn.countAll<number>().as('entries'),
          eb.fn.max('e.sequence').as('last'),
        ]);
        const counted = await inTurn(slices, () => database.get(sums.compile()));
        entries += counted?.entries ?? 0;
        last = counted?.last ?? last;
      }
      return { entries, last };
    },
    /**
     * Counts the entries in equal ranges of time.
     * @param aheadMs how far the reader's clock is ahead of UTC, in milliseconds; longer ranges begin at their midnight
     * @returns the first range's start and the ranges' length, in milliseconds
     */
    async histogram(filter: ActivityFilter, aheadMs: number, slices: Slices) {
      const first = build.selectFrom('audit').select('time').where('environment', '=', filter.environment);
      const oldest = await inTurn(slices, () => database.get(first.orderBy('sequence').limit(1).compile()));
      const to = filter.to === undefined ? clock.now() + 1 : Date.parse(filter.to);
      const from = filter.from === undefined ? (oldest?.time ?? to - 1) : Date.parse(filter.from);
      const { start, step, bars } = rangesOf(from, to, aheadMs);
      const counts = Array.from({ length: bars }, () => 0);
      const within = { ...filter, from: timestamp(from), to: timestamp(to) };
      const whole = { from: 1, below: (await chain.head()).sequence + 1 };
      const bar = sql<number>`(e.time - ${sql.lit(start)}) / ${sql.lit(step)}`;
      for await (const query of inStretches(within, whole, slices)) {
        const sums = query
          .select((eb) => [bar.as('bar'), eb.fn.countAll<number>().as('entries')])
          .groupBy(bar);
        for (const { bar: at, entries } of await inTurn(slices, () => database.all(sums.compile())))
          counts[at] = (counts[at] ?? 0) + entries;
      }
      return { from: start, step, counts };
    },
    /** Verifies the hash chain of the whole trail. */
    verify: async (slices: Slices): Promise<Verification> => ({
      ...(await verifyChain(database, await chain.head(), keys, slices)),
      checked_at: timestamp(clock.now()),
    }),
    /** Entries with an unknown outcome. */
    async countUnknown({
      environment,
      onlyOf,
    }: Pick<ActivityFilter, 'environment' | 'onlyOf'>): Promise<number> {
      // Counts the open intents, which needs no read of the others.
      let query = build
        .selectFrom('audit_open')
        // Unlike an inner join, this makes SQLite begin with the few rows of the first table.
        .crossJoin('audit')
        .whereRef('audit.sequence', '=', 'audit_open.intent')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('audit.environment', '=', environment);
      if (onlyOf !== undefined) {
        query = query.where('audit.person_id', '=', onlyOf);
      }
      query = query.where(sql<SqlBool>`audit_open.intent not in (${pendingIntents()})`);
      return (await database.get(query.compile()))?.count ?? 0;
    },
  };
}

const paths = z.array(z.string());

function entryOf(
  intent: AuditRow,
  outcome: AuditRow | undefined,
  names: ReadonlyMap<string, string>,
  pending: boolean,
): ActivityEntry {
  const last = outcome ?? intent;
  const byIntent = intent.person_id !== '';
  const known = last.outcome === 'intent' ? (pending ? 'pending' : 'unknown') : last.outcome;
  const { success, data: service } = z.safeParse(serviceName, intent.service);
  return {
    sequence: intent.sequence,
    time: timestamp(intent.time),
    environment: intent.environment,
    service: success ? service : null,
    person: {
      id: byIntent ? intent.person_id : last.person_id,
      name: byIntent ? intent.person_name : last.person_name,
      login_name: byIntent ? intent.login_name : last.login_name,
    },
    address: intent.address,
    action: intent.action,
    resource: {
      kind: intent.resource_kind,
      id: last.resource_id,
      name: last.resource_name || (names.get(`${intent.resource_kind}/${last.resource_id}`) ?? ''),
    },
    paths: storedList(paths, last.paths === '[]' ? intent.paths : last.paths),
    decisions: storedList(decisions, intent.decisions),
    revision_before: intent.revision_before,
    revision_after: last.revision_after,
    outcome: z.parse(outcomeText, known),
    outcome_time: last.outcome === 'intent' ? null : timestamp(last.time),
    problem: last.problem,
    request_id: intent.request_id,
    can_settle: known === 'unknown',
    hash: last.hash,
  };
}

const outcomeText = z.enum(activityOutcomes);

/** A stored list; empty if it was changed into something else, which the verification reports. */
function storedList<Item>(list: z.ZodMiniType<Item[]>, json: string): Item[] {
  try {
    return z.parse(list, JSON.parse(json));
  } catch {
    return [];
  }
}

/** RFC 3339. A stored time that is none, because it was changed, becomes 1970; the verification reports it. */
function timestamp(time: number): string {
  const date = new Date(time);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
