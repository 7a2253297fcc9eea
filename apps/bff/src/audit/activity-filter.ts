import { activityMostBars, type ActivityOutcome } from '@gatehouse/api-types/console/activity';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Database } from '#store/database.ts';
import { isOfRecord, sameRecord } from './of-record.ts';
import { text } from './trail.ts';

/** Which entries to return. */
export interface ActivityFilter {
  readonly environment: string;
  /** Returns only this user's entries; undefined for everyone's. */
  readonly onlyOf?: string | undefined;
  readonly sequence?: number | undefined;
  /** Words that an entry contains. */
  readonly q?: string | undefined;
  readonly person?: string | undefined;
  /** `console` for entries that concern no service. */
  readonly service?: string | undefined;
  readonly kind?: string | undefined;
  /** One action, or several separated by commas. */
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

/** A range of intents' sequences. */
export interface Stretch {
  readonly from: number;
  readonly below: number;
}

/** A condition that only few entries match. They are searched in one stretch, with the other conditions. */
export type Lead = 'sequence' | 'outcome' | 'resource_id' | 'request_id';

const second = 1_000;
const day = 86_400_000;
/** Lengths of a histogram's ranges, in milliseconds; longer ones are multiples of the last. */
const lengths = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200]
  .map((seconds) => seconds * second)
  .concat(day, 7 * day, 30 * day);

/** Divides a time into at most `activityMostBars` ranges of a round length, the first of which contains `from`. */
export function rangesOf(
  from: number,
  to: number,
  aheadMs: number,
): { readonly start: number; readonly step: number; readonly bars: number } {
  const startFor = (step: number): number => Math.floor((from + aheadMs) / step) * step - aheadMs;
  const barsFor = (step: number): number => Math.max(0, Math.ceil((to - startFor(step)) / step));
  const usual = lengths.find((step) => barsFor(step) <= activityMostBars);
  const step = usual ?? Math.ceil((to - from) / (activityMostBars - 1) / (30 * day)) * 30 * day;
  return { start: startFor(step), step, bars: barsFor(step) };
}

/** Divides the searched range into stretches of `length` rows. */
export function* stretchesOf(
  { from, below }: Stretch,
  length: number,
  newestFirst: boolean,
): Generator<Stretch> {
  let [start, end] = [from, below];
  while (start < end) {
    const stretch = newestFirst
      ? { from: Math.max(start, end - length), below: end }
      : { from: start, below: Math.min(end, start + length) };
    yield stretch;
    if (newestFirst) end = stretch.from;
    else start = stretch.below;
  }
}

/**
 * Divides a stretch into parts of about as much text, of one row at least. Rows that aren't searched are in none.
 * @param sizes the sequences of the searched rows, in the order of the search, and the sizes of their texts
 */
export function partsBySize(
  sizes: readonly { readonly sequence: number; readonly size: number }[],
  most: number,
): Stretch[] {
  const parts: Stretch[] = [];
  let left = 0;
  for (const { sequence, size } of sizes) {
    const last = parts.at(-1);
    left -= size;
    if (last !== undefined && left >= 0) {
      const { from, below } = last;
      parts[parts.length - 1] = { from: Math.min(from, sequence), below: Math.max(below, sequence + 1) };
    } else {
      parts.push({ from: sequence, below: sequence + 1 });
      left = most - size;
    }
  }
  return parts;
}

/**
 * The filter's conditions on an intent `e` of a stretch and its last outcome `o`.
 * @param lead the condition whose index has the few results; the stretch is the whole range then
 * @param pending selects the intents whose outcome is still to come
 */
export function conditionsOf(
  { contains }: Pick<Database, 'contains'>,
  filter: ActivityFilter,
  { from: first, below }: Stretch,
  lead: Lead | undefined,
  pending: RawBuilder<unknown>,
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
  if (person !== undefined)
    found.push(
      contains(
        sql`lower(coalesce(o.person_name, e.person_name) || ' ' || coalesce(o.login_name, e.login_name) || ' '
        || coalesce(o.person_id, e.person_id))`,
        partOf(person),
      ),
    );
  for (const word of q?.split(/\s+/u) ?? []) {
    // An export records its filters as paths, which would find the export itself.
    // Actions are named in the present tense: "deleted" also finds `target.delete`.
    const verbs = [word, word.replace(/d$/iu, ''), word.replace(/ed$/iu, '')].filter((one) => one !== '');
    const actions = [...new Set(verbs)].map((verb) => contains(sql`e.action`, partOf(verb)));
    const texts = sql<string>`lower(coalesce(o.person_name, e.person_name) || ' '
        || coalesce(o.login_name, e.login_name) || ' ' || coalesce(o.resource_name, '') || ' ' || e.resource_name || ' '
        || coalesce(o.resource_id, e.resource_id) || ' ' || e.resource_kind || ' ' || case when e.action = 'activity.export' then '' else e.paths || ' ' || coalesce(o.paths, '') end || ' ' || e.address || ' '
        || e.request_id)`;
    found.push(sql`(${sql.join(actions, sql` or `)} or ${contains(texts, partOf(word))})`);
  }
  if (service !== undefined) found.push(sql`e.service = ${service === 'console' ? '' : service}`);
  if (kind !== undefined) found.push(sql`e.resource_kind = ${text(kind)}`);
  if (action !== undefined) found.push(sql`e.action in (${sql.join(action.split(',').map(text))})`);
  if (resource_id !== undefined) {
    const id = text(resource_id);
    const same = sameRecord(id);
    // Only the outcome names a created record. In a stretch, the second select uses the index of intents instead of the
    // resource's.
    if (lead === 'resource_id')
      found.push(sql`e.sequence in (select coalesce(intent, sequence) from audit where ${same})`);
    else if (lead === undefined)
      found.push(sql`e.sequence in (
        select sequence from audit where ${same} and sequence >= ${first} and sequence < ${below}
        union all
        select intent from audit where ${isOfRecord('audit', id)} and intent >= ${first} and intent < ${below})`);
    found.push(sql`(${isOfRecord('e', id)} or ${isOfRecord('o', id)})`);
  }
  if (outcome === 'unknown' || outcome === 'pending') {
    found.push(sql`e.sequence in (select intent from audit_open)`);
    found.push(outcome === 'pending' ? sql`e.sequence in (${pending})` : sql`e.sequence not in (${pending})`);
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

/** A part of texts in lower case. */
const partOf = (words: string): string => text(words).toLowerCase();
