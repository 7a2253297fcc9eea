import { systemClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingOfOne } from '@gatehouse/service-kit/secret-box';
import { Slices } from '@gatehouse/service-kit/slices';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import * as fc from 'fast-check';
import { sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenSeal } from '#session/token-seal.ts';
import type { Database } from '#store/database.ts';
import { openPostgres } from '#store/postgres.ts';
import type { AuditRow } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import { startPostgres } from '#test/postgres.ts';
import { conditionsOf, partsBySize, rangesOf, type ActivityFilter } from './activity-filter.ts';
import { activity, type Activity, type FoundPage } from './activity.ts';
import { auditChain } from './chain.ts';
import { auditKeys } from './keys.ts';
import { auditTrail } from './trail.ts';

interface Entry {
  readonly intent: AuditRow;
  readonly outcome: AuditRow | undefined;
}

/** More rows than one stretch has: sign-ins, whose person only the outcome names, creations and changes. */
const entries = Array.from({ length: 6_000 }, (_, n): Entry => {
  const [isSignIn, isCreation, isOpen] = [n % 10 === 0, n % 7 === 0, n >= 5_997];
  const person = `p_${n % 4}`;
  const both = {
    session_id: '',
    address: '',
    environment: 'test',
    service: n % 100 === 8 ? 'boxes' : 'secrets',
    resource_kind: 'target',
    resource_name: '',
    paths: '[]',
    decisions: '[]',
    revision_before: null,
    revision_after: null,
    problem: null,
    request_id: `r_${n}`,
    previous_hash: '',
    key_id: '',
    hash: '',
    time: n * 1_000,
    login_name: '',
    action: isSignIn ? 'console-session.sign-in' : 'target.update',
  };
  const known = {
    person_id: person,
    person_name: `Person ${n % 4}`,
    resource_id: n % 50 === 7 ? 't_7' : n % 50 === 8 ? 'T_7' : 't_0',
  };
  const intent = {
    ...both,
    ...known,
    sequence: 2 * n + 1,
    intent: null,
    outcome: 'intent',
    ...(isSignIn && { person_id: '', person_name: '' }),
    ...(isCreation && { resource_id: '' }),
  };
  return {
    intent,
    outcome: isOpen
      ? undefined
      : { ...both, ...known, sequence: 2 * n + 2, intent: 2 * n + 1, outcome: 'succeeded' },
  };
});

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

test('parts of a stretch have each row once, and no more text than allowed unless a row alone has more', () => {
  const rows = fc.uniqueArray(fc.record({ sequence: fc.nat(1_000), size: fc.nat(100) }), {
    selector: ({ sequence }) => sequence,
  });
  fc.assert(
    fc.property(rows, fc.boolean(), fc.nat(200), (some, newestFirst, most) => {
      const sizes = some.toSorted((one, other) => (one.sequence - other.sequence) * (newestFirst ? -1 : 1));
      const within = partsBySize(sizes, most).map(({ from, below }) =>
        sizes.filter(({ sequence }) => sequence >= from && sequence < below),
      );
      expect(within.flat()).toEqual(sizes);
      for (const part of within)
        expect(part.length === 1 || sum(part.map(({ size }) => size)) <= most).toBe(true);
    }),
  );
});

test('ranges cover the time, begin at round times of the reader, and are at most 60', () => {
  const minutes = fc.integer({ min: -720, max: 840 });
  const time = fc.integer({ min: 0, max: Date.UTC(9999, 0) });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 10 ** 12 }), minutes, (from, length, ahead) => {
      const { start, step, bars } = rangesOf(from, from + length, ahead * 60_000);
      expect(bars).toBeLessThanOrEqual(60);
      expect(start).toBeLessThanOrEqual(from);
      expect(from - start).toBeLessThan(step);
      expect(start + bars * step).toBeGreaterThanOrEqual(from + length);
      expect(start + (bars - 1) * step).toBeLessThan(from + length);
      expect(Math.abs(start + ahead * 60_000) % step).toBe(0);
    }),
  );
  const noon = Date.UTC(2026, 10, 28, 12);
  expect(rangesOf(noon, noon + 30 * 86_400_000, 3_600_000)).toEqual({
    start: Date.UTC(2026, 10, 27, 23),
    step: 86_400_000,
    bars: 31,
  });
});

const postgres = await startPostgres();
afterAll(() => postgres?.close());
const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

describe.each([
  ['SQLite', async () => openSqlite(folder.file('console.db'))] as const,
  ...(postgres === undefined
    ? []
    : [['PostgreSQL', async () => openPostgres(await postgres.database())] as const]),
])('on %s', (kind, open) => {
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  let database: Database;
  let trail: Activity;
  /** Names this process in the trail. */
  let instance: string;
  /** SQLite's query plans since the beginning of a test. */
  const plans: string[] = [];
  /** Called for each query. */
  let onQuery: () => void = () => undefined;

  beforeAll(async () => {
    database = await open();
    const { build } = database;
    const rows = entries.flatMap(({ intent, outcome }) => [
      intent,
      ...(outcome === undefined ? [] : [outcome]),
    ]);
    const last = entries.slice(-3).map(({ intent: { sequence: intent } }) => intent);
    await database.batch([
      ...Array.from({ length: Math.ceil(rows.length / 500) }, (_, at) =>
        build
          .insertInto('audit')
          .values(rows.slice(at * 500, at * 500 + 500))
          .compile(),
      ),
      ...last.map((intent) =>
        build.insertInto('audit_open').values({ intent, instance: '', sealed_wish: '' }).compile(),
      ),
      build
        .updateTable('audit_head')
        .set({ sequence: rows.at(-1)?.sequence ?? 0 })
        .compile(),
    ]);
    // PostgreSQL analyzes tables automatically after a while; SQLite never does.
    if (kind === 'PostgreSQL') await database.run(sql`analyze`.compile(build));
    const ring = keyRingOfOne('k_1', Buffer.alloc(32, 7));
    const seal = tokenSeal(
      () => ring,
      systemClock,
      () => undefined,
    );
    const keys = await auditKeys(database, seal, systemClock);
    const chain = auditChain(database, keys.current, silentLog);
    const explained = async (query: CompiledQuery): Promise<void> => {
      onQuery();
      if (kind !== 'SQLite') return;
      const plan = { ...query, sql: `explain query plan ${query.sql}` } as CompiledQuery<{ detail: string }>;
      plans.push(...(await database.all(plan)).map(({ detail }) => detail));
    };
    const told: Database = {
      ...database,
      all: async (query) => explained(query).then(() => database.all(query)),
      get: async (query) => explained(query).then(() => database.get(query)),
    };
    const writer = auditTrail({
      environments: [],
      database,
      chain,
      seal,
      clock: systemClock,
      log: silentLog,
    });
    ({ instance } = writer);
    trail = activity(told, chain, writer, systemClock, keys);
  });
  afterAll(() => database.close());

  const last = ({ intent, outcome }: Entry): AuditRow => outcome ?? intent;
  const filters: [string, Omit<ActivityFilter, 'environment'>, (entry: Entry) => boolean, index?: string][] =
    [
      ['everything', {}, () => true],
      [
        "one person's, with their sign-ins",
        { onlyOf: 'p_0' },
        (entry) => last(entry).person_id === 'p_0',
        'audit_sign_in',
      ],
      ["another person's", { onlyOf: 'p_1' }, (entry) => last(entry).person_id === 'p_1', 'audit_person'],
      ["nobody's", { onlyOf: 'p_9' }, () => false],
      [
        'those of a record, also with another spelling where the service ignores case',
        { resource_id: 't_7' },
        (entry) =>
          last(entry).resource_id === 't_7' ||
          (last(entry).resource_id === 'T_7' && last(entry).service === 'boxes'),
        'audit_resource',
      ],
      [
        'those of a record that has many',
        { resource_id: 't_0' },
        (entry) => last(entry).resource_id === 't_0',
        'audit_intent',
      ],
      [
        'those of a request',
        { request_id: 'r_77' },
        ({ intent }) => intent.request_id === 'r_77',
        'audit_request',
      ],
      [
        'those of a request, of a record that has many',
        { request_id: 'r_75', resource_id: 't_0' },
        ({ intent }) => intent.request_id === 'r_75',
        'audit_request',
      ],
      ['those of a name', { person: 'PERSON 2' }, (entry) => last(entry).person_name === 'Person 2'],
      [
        'those with words of the name and the record',
        { q: 'T_7 pERSON' },
        (entry) => last(entry).resource_id.toLowerCase() === 't_7',
      ],
      [
        'those of a verb in the past tense',
        { q: 'updated' },
        ({ intent }) => intent.action === 'target.update',
      ],
      ['those with a sign that patterns use', { q: '_%' }, () => false],
      ['those with what no database stores', { q: 'a\0b', person: '\0' }, () => false],
      ['unknown ones', { outcome: 'unknown' }, ({ outcome }) => outcome === undefined],
      ['one', { sequence: 4_001 }, ({ intent }) => intent.sequence === 4_001],
    ];

  test.each(filters)(
    '%s: pages, export, count and histogram agree with the rows',
    async (_what, filter, is, index) => {
      plans.length = 0;
      const all = { environment: 'test', ...filter };
      const expected = entries.filter(is).map(({ intent }) => intent.sequence);
      const sequencesOf = (page: FoundPage) => page.entries.map(({ entry }) => entry.sequence);

      expect(sequencesOf(await trail.list(all, { limit: 10_000 }, slices))).toEqual(expected.toReversed());
      if (index !== undefined && kind === 'SQLite') expect(plans.join('\n')).toContain(index);
      expect(plans.filter((step) => /^SCAN (?:e|audit)\b/.test(step))).toEqual([]);
      const [below, above] = [expected.at(-3) ?? 1, expected.at(2) ?? 1];
      expect(sequencesOf(await trail.list(all, { limit: 2, before: below }, slices))).toEqual(
        expected
          .filter((sequence) => sequence < below)
          .toReversed()
          .slice(0, 2),
      );
      expect(sequencesOf(await trail.following(all, { after: above, upTo: below }, 10_000, slices))).toEqual(
        expected.filter((sequence) => sequence > above && sequence <= below),
      );
      expect(await trail.count(all, slices)).toEqual({
        entries: expected.length,
        last: expected.at(-1) ?? 0,
      });
      const during = { ...all, from: '1970-01-01T00:10:30Z', to: '1970-01-01T01:27:00Z' };
      const { from, step, counts } = await trail.histogram(during, 0, slices);
      expect([from, step, counts.length]).toEqual([600_000, 300_000, 16]);
      const times = entries.filter(is).map(({ intent }) => intent.time);
      const inTime = times.filter((time) => time >= 630_000 && time < 5_220_000);
      expect(counts).toEqual(
        counts.map((_, bar) => inTime.filter((time) => Math.floor((time - from) / step) === bar).length),
      );
      expect(sum((await trail.histogram(all, 0, slices)).counts)).toBe(expected.length);
    },
  );

  test('a search in texts has no pattern, whose cost is that of the text times the word', () => {
    const filter = { environment: 'test', q: 'aab', person: 'aab' };
    const conditions = conditionsOf(database, filter, { from: 0, below: 1 }, undefined, sql`select 1`);
    expect(sql.join(conditions).compile(database.build).sql).not.toMatch(/\blike\b/i);
  });

  test('a search in texts compares fewer rows at a time if it has many words', async () => {
    const queriesFor = async (q: string): Promise<number> => {
      let queries = 0;
      onQuery = () => {
        queries += 1;
      };
      await trail.count({ environment: 'test', q }, slices);
      return queries;
    };
    const few = await queriesFor('nowhere');
    expect(await queriesFor('nowhere '.repeat(40).trim())).toBeGreaterThan(few * 2);
    onQuery = () => undefined;
  });

  test('a histogram of no entries has one empty range, and of no time none', async () => {
    // The second time is at the boundary of a range.
    for (const to of ['2026-01-02T00:00:00.001Z', '2026-01-02T00:00:00Z'])
      expect((await trail.histogram({ environment: 'empty', to }, 0, slices)).counts).toEqual([0]);
    const none = { environment: 'test', from: '2026-01-02T00:00Z', to: '2026-01-01T00:00Z' };
    expect((await trail.histogram(none, 0, slices)).counts).toEqual([]);
  });

  test('finds single and unknown entries of a record or request without reading its many others', async () => {
    const [{ intent }] = entries.filter(({ outcome }) => outcome === undefined) as [Entry];
    plans.length = 0;
    for (const lead of [{ sequence: intent.sequence }, { outcome: 'unknown' }] as const) {
      for (const narrowed of [{ resource_id: intent.resource_id }, { request_id: intent.request_id }]) {
        const found = await trail.list({ environment: 'test', ...lead, ...narrowed }, { limit: 10 }, slices);
        expect(found.entries.map(({ entry }) => entry.sequence)).toContain(intent.sequence);
      }
    }
    expect(plans.filter((step) => /audit_(?:resource|request)/.test(step))).toEqual([]);
  });

  test('reads nothing for a client that has left', async () => {
    plans.length = 0;
    const left = new Slices(() => true, { name: 'ada', isKnown: true });
    const all = { environment: 'test', resource_id: 't_0' };
    for (const read of [
      () => trail.list(all, { limit: 10 }, left),
      () => trail.following(all, { after: 0, upTo: 10 }, 10, left),
      () => trail.count(all, left),
      () => trail.histogram(all, 0, left),
      () => trail.verify(left),
    ])
      await expect(read()).rejects.toMatchObject({ status: 499 });
    expect(plans).toEqual([]);
  });

  test('ends a page of large entries before its limit, and continues there on the next page', async () => {
    const [{ intent }] = entries as [Entry];
    const large = Array.from({ length: 7 }, (_, at) => ({
      ...intent,
      sequence: 900_001 + at,
      environment: 'large',
      paths: JSON.stringify(['x'.repeat(300_000)]),
    }));
    await database.run(database.build.insertInto('audit').values(large).compile());
    const pageOf = async (page: Promise<FoundPage>) => {
      const { entries: found, hasMore } = await page;
      return [...found.map(({ entry }) => entry.sequence - 900_000), hasMore];
    };
    const all = { environment: 'large' };
    const range = { after: 900_000, upTo: 900_007 };
    expect(await pageOf(trail.list(all, { limit: 500, before: 900_008 }, slices))).toEqual([
      7,
      6,
      5,
      4,
      true,
    ]);
    expect(await pageOf(trail.list(all, { limit: 500, before: 900_004 }, slices))).toEqual([3, 2, 1, false]);
    expect(await pageOf(trail.following(all, range, 500, slices))).toEqual([1, 2, 3, 4, true]);
  });

  test.skipIf(kind !== 'SQLite')('lists entries that were changed in the file', async () => {
    const [{ intent }] = entries as [Entry];
    const changed = { ...intent, sequence: 910_001, environment: 'changed', paths: '[', decisions: '{}' };
    await database.run(database.build.insertInto('audit').values(changed).compile());
    await database.run(
      sql`update audit set time = 9223372036854775807 where sequence = 910001`.compile(database.build),
    );
    const { entries: found } = await trail.list(
      { environment: 'changed' },
      { limit: 500, before: 910_002 },
      slices,
    );
    expect(found.map(({ entry }) => entry)).toMatchObject([
      { sequence: 910_001, time: '1970-01-01T00:00:00.000Z', paths: [], decisions: [] },
    ]);
  });

  test('lists and counts an intent as pending or unknown by one rule', async () => {
    const { build } = database;
    const [{ intent }] = entries as [Entry];
    const both = { ...intent, environment: 'two', person_id: 'p', time: systemClock.now() };
    const opened = { sealed_wish: '' };
    // Of another console, of another one long ago, of this one whose outcome couldn't be recorded, and unknown by its outcome.
    await database.batch([
      build
        .insertInto('audit')
        .values([
          { ...both, sequence: 920_001 },
          { ...both, sequence: 920_002, time: 0 },
          { ...both, sequence: 920_003 },
          { ...both, sequence: 920_004 },
          { ...both, sequence: 920_005, intent: 920_004, outcome: 'unknown' },
        ])
        .compile(),
      build
        .insertInto('audit_open')
        .values([
          { ...opened, intent: 920_001, instance: 'other/1' },
          { ...opened, intent: 920_002, instance: 'other/2' },
          { ...opened, intent: 920_003, instance: `${instance}/3` },
          { ...opened, intent: 920_004, instance: 'other/4' },
        ])
        .compile(),
    ]);
    const all = { environment: 'two' };
    const pending = kind === 'SQLite' ? [] : [920_001];
    const unknown = [920_004, 920_003, 920_002, ...(kind === 'SQLite' ? [920_001] : [])];
    const page = { limit: 10, before: 920_006 };
    const { entries: found } = await trail.list(all, page, slices);
    for (const [outcome, expected] of [['pending', pending] as const, ['unknown', unknown] as const]) {
      const told = found.filter(({ entry }) => entry.outcome === outcome);
      expect(told.map(({ entry }) => entry.sequence)).toEqual(expected);
      const listed = await trail.list({ ...all, outcome }, page, slices);
      expect(listed.entries.map(({ entry }) => [entry.sequence, entry.outcome])).toEqual(
        expected.map((sequence) => [sequence, outcome]),
      );
    }
    expect(await trail.countUnknown(all)).toBe(unknown.length);
  });

  test('counts entries with an unknown outcome without reading the others', async () => {
    plans.length = 0;
    expect(await trail.countUnknown({ environment: 'test' })).toBe(3);
    expect(await trail.countUnknown({ environment: 'test', onlyOf: 'p_1' })).toBe(1);
    expect(await trail.countUnknown({ environment: 'other' })).toBe(0);
    expect(plans.filter((step) => /^(?:SCAN|SEARCH) audit\b(?!.*\bsequence=\?)/.test(step))).toEqual([]);
  });
});
