import {
  activityOutcomes,
  type ActivityEntry,
  type ActivityOutcome,
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
import type { AuditChain } from './chain.ts';
import type { AuditKeys } from './keys.ts';
import { text, type AuditTrail } from './trail.ts';
import { verifyChain } from './verify.ts';

/** Which entries to return. */
export interface ActivityFilter {
  readonly environment: string;
  /** Returns only this user's entries; undefined for everybody's. */
  readonly onlyOf?: string | undefined;
  readonly sequence?: number | undefined;
  /** Words that an entry contains. */
  readonly q?: string | undefined;
  readonly person?: string | undefined;
  /** `console` for entries that concern no service. */
  readonly service?: string | undefined;
  readonly kind?: string | undefined;
  readonly action?: string | undefined;
  readonly resource_id?: string | undefined;
  readonly outcome?: ActivityOutcome | undefined;
  /** The code of the answered problem. */
  readonly problem?: string | undefined;
  readonly request_id?: string | undefined;
  /** RFC 3339. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

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
/** Rows of a stretch, which is searched at a time if no index leads to all results. */
const stretchLength = 10_000;
/** Rows read at a time. With the longest lists of paths these are about 4 MB. */
const rowsAtOnce = 100;
/** Characters of paths and decisions after which a page ends. */
const pageCharacters = 2 ** 20;

/** A range of intents' sequences. */
interface Stretch {
  readonly from: number;
  readonly below: number;
}

/** A condition that leads to few entries. They are searched in one stretch, with the other conditions. */
type Lead = 'sequence' | 'outcome' | 'resource_id' | 'request_id';

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

  /** The condition whose index leads to all results, if these are few. */
  const leadOf = async (filter: ActivityFilter, slices: Slices): Promise<Lead | undefined> => {
    if (filter.sequence !== undefined) return 'sequence';
    if (filter.outcome === 'unknown' || filter.outcome === 'pending') return 'outcome';
    for (const column of ['resource_id', 'request_id'] as const) {
      const value = filter[column];
      if (value === undefined) continue;
      const rows = build.selectFrom('audit').select('sequence').where(column, '=', text(value));
      const some = rows.$if(column === 'request_id', (all) => all.where('intent', 'is', null));
      const counted = build
        .selectFrom(some.limit(stretchLength).as('some'))
        .select((eb) => eb.fn.countAll<number>().as('rows'));
      const found = await inTurn(slices, () => database.get(counted.compile()));
      if ((found?.rows ?? 0) < stretchLength) return column;
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
    // Texts take longer to search than columns.
    const length = filter.q === undefined ? stretchLength : stretchLength / 4;
    for (const stretch of lead === undefined ? stretchesOf(whole, length, newestFirst) : [whole])
      yield matching(filter, stretch, lead);
  }

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
    return conditionsOf(filter, stretch, lead, trail.pending).reduce(
      (narrowed, condition) => narrowed.where(condition),
      query,
    );
  };

  const found = async (intents: AuditRow[]): Promise<FoundEntry[]> => {
    if (intents.length === 0) return [];
    const sequences = intents.map(({ sequence }) => sequence);
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
    const isPending = (intent: AuditRow): boolean => {
      if (trail.pending.has(intent.sequence)) return true;
      const byOther = openBy.get(intent.sequence)?.instance.startsWith(trail.instance) === false;
      return database.shared && byOther && clock.now() - intent.time < pendingFor;
    };
    return intents.map((intent) => ({
      entry: entryOf(intent, outcomeBy.get(intent.sequence), names, isPending(intent)),
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
    ): Promise<FoundPage> =>
      read(filter, { from: 1, below: before ?? (await chain.head()).sequence + 1 }, limit, slices, true),
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
    /** Verifies the hash chain of the whole trail. */
    verify: async (slices: Slices): Promise<Verification> => ({
      ...(await verifyChain(database, await chain.head(), keys, slices)),
      checked_at: timestamp(clock.now()),
    }),
    /** Entries with an unknown outcome, except those that this process is still working on. */
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
      if (trail.pending.size > 0) query = query.where('audit_open.intent', 'not in', [...trail.pending]);
      return (await database.get(query.compile()))?.count ?? 0;
    },
  };
}

/** Divides the searched range into stretches. */
function* stretchesOf({ from, below }: Stretch, length: number, newestFirst: boolean): Generator<Stretch> {
  if (newestFirst) {
    for (let end = below; end > from; end -= length) yield { from: Math.max(from, end - length), below: end };
  } else {
    for (let at = from; at < below; at += length) yield { from: at, below: Math.min(below, at + length) };
  }
}

/**
 * The filter's conditions on an intent `e` of a stretch and its last outcome `o`.
 * @param lead the condition whose index leads to the few results; the stretch is the whole range then
 */
function conditionsOf(
  filter: ActivityFilter,
  { from: first, below }: Stretch,
  lead: Lead | undefined,
  pending: ReadonlySet<number>,
): RawBuilder<SqlBool>[] {
  const { onlyOf, sequence, person, service, kind, action, resource_id, outcome } = filter;
  const { problem, request_id, from, to, q } = filter;
  const found: RawBuilder<SqlBool>[] = [];
  if (onlyOf !== undefined) {
    // Only the outcome names the user of a sign-in. The join with '' keeps the database from using another index than
    // the lead's.
    found.push(
      lead !== undefined
        ? sql`(e.person_id || '' = ${onlyOf} or (e.action = ${sql.lit(signIn)} and o.person_id || '' = ${onlyOf}))`
        : sql`e.sequence in (
        select sequence from audit where person_id = ${onlyOf} and sequence >= ${first} and sequence < ${below}
        union all
        select intent from audit where person_id = ${onlyOf} and action = ${sql.lit(signIn)}
          and intent >= ${first} and intent < ${below})`,
    );
  }
  if (sequence !== undefined) found.push(sql`e.sequence = ${sequence}`);
  if (person !== undefined) {
    const name = text(person);
    const pattern = patternOf(name);
    found.push(
      sql`(e.person_id = ${name} or o.person_id = ${name} or lower(coalesce(o.person_name, e.person_name)) like ${pattern} escape ${backslash}
        or lower(coalesce(o.login_name, e.login_name)) like ${pattern} escape ${backslash})`,
    );
  }
  for (const word of q?.split(/\s+/u) ?? []) {
    // An export records its filters as paths, which would find the export itself.
    // Actions are named in the present tense: "deleted" also finds `target.delete`.
    const verbs = [word, word.replace(/d$/iu, ''), word.replace(/ed$/iu, '')].filter((one) => one !== '');
    const actions = [...new Set(verbs)].map(
      (verb) => sql`e.action like ${patternOf(verb)} escape ${backslash}`,
    );
    found.push(
      sql`(${sql.join(actions, sql` or `)} or lower(coalesce(o.person_name, e.person_name) || ' '
        || coalesce(o.login_name, e.login_name) || ' ' || coalesce(o.resource_name, '') || ' ' || e.resource_name || ' '
        || coalesce(o.resource_id, e.resource_id) || ' ' || e.resource_kind || ' ' || case when e.action = 'activity.export' then '' else e.paths end || ' ' || e.address || ' '
        || e.request_id) like ${patternOf(word)} escape ${backslash})`,
    );
  }
  if (service !== undefined) found.push(sql`e.service = ${service === 'console' ? '' : service}`);
  if (kind !== undefined) found.push(sql`e.resource_kind = ${text(kind)}`);
  if (action !== undefined) found.push(sql`e.action = ${text(action)}`);
  if (resource_id !== undefined) {
    const id = text(resource_id);
    // Only the outcome names a created record. In a stretch, the second select uses the index of intents instead of the
    // resource's.
    if (lead === 'resource_id')
      found.push(sql`e.sequence in (select coalesce(intent, sequence) from audit where resource_id = ${id})`);
    else if (lead === undefined)
      found.push(sql`e.sequence in (
        select sequence from audit where resource_id = ${id} and sequence >= ${first} and sequence < ${below}
        union all
        select intent from audit where resource_id || '' = ${id} and intent >= ${first} and intent < ${below})`);
    found.push(sql`(e.resource_id || '' = ${id} or o.resource_id || '' = ${id})`);
  }
  if (outcome === 'unknown' || outcome === 'pending') {
    found.push(sql`e.sequence in (select intent from audit_open)`);
    if (outcome === 'pending') found.push(sql`o.outcome is null`);
    else if (pending.size > 0) found.push(sql`e.sequence not in (${sql.join([...pending])})`);
  } else if (outcome !== undefined) found.push(sql`coalesce(o.outcome, e.outcome) = ${outcome}`);
  if (problem !== undefined) found.push(sql`coalesce(o.problem, e.problem) = ${problem}`);
  if (request_id !== undefined) {
    found.push(
      lead === 'request_id'
        ? sql`e.sequence in (select sequence from audit where request_id = ${text(request_id)} and intent is null)`
        : sql`e.request_id || '' = ${text(request_id)}`,
    );
  }
  if (from !== undefined) found.push(sql`e.time >= ${Date.parse(from)}`);
  if (to !== undefined) found.push(sql`e.time < ${Date.parse(to)}`);
  return found;
}

/** The only action that is recorded of users who aren't signed in; `audit_sign_in` indexes it. */
const signIn = 'console-session.sign-in';

const backslash = sql.lit('\\');

/** The pattern of texts in lower case that contain a text. */
function patternOf(part: string): string {
  return `%${part.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
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
    paths: storedList(paths, intent.paths),
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
