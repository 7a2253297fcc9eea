import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { writeFor } from '@gatehouse/service-kit/write-queue';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { startEmbedded } from '#test/embedded.ts';
import { startPostgres } from '#test/postgres.ts';
import { replicaKinds, replicasOfEach } from '#test/replicas.ts';
import { isUnavailable, openPostgres } from './postgres.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each(replicaKinds(postgres))('on %s, two replicas', (_kind, opener) => {
  const at = replicasOfEach(opener);

  test('run a batch completely or not at all', async () => {
    const { one, two } = at;
    const { build } = one.database;
    const row = { person_id: 'ada', key: 'a', value: '1' };
    await expect(
      one.database.batch([
        build.insertInto('preference').values(row).compile(),
        build
          .insertInto('preference')
          .values({ ...row, value: '2' })
          .compile(),
      ]),
    ).rejects.toThrow();
    expect(await two.preferences.all('ada')).toEqual({});
  });

  test.each([
    ['%a', true],
    ['A', false],
    ['a\0', false],
  ])('find %j in a text', async (part, isFound) => {
    const { build, contains } = at.one.database;
    await at.one.preferences.put('ada', 'x', 1);
    const found = build
      .selectFrom('preference')
      .select('key')
      .where(contains(sql`'50 %a'`, part));
    expect(await at.one.database.all(found.compile())).toHaveLength(isFound ? 1 : 0);
  });
});

const targets = '/api/environments/test/access/targets';
const newTarget = (name: string) => ({ scope_id: 'p_1234567890', type: 'tcp', name });

test('delays changes, then refuses them, and still reads while another process holds the database', async () => {
  const controller = await boundaryController();
  const console = await startConsole({
    access: { kind: 'url', url: new URL(controller.url) },
    bff: { busyDeadlineMs: 300 },
  });
  const page = console.browser();
  await signInAs(page, 'admin', boundaryPassword);
  using other = new DatabaseSync(join(console.dataDir, 'console.db'));
  other.exec('BEGIN IMMEDIATE');
  const refused = await page.send('POST', targets, { body: newTarget('held') });
  expect(refused.json).toMatchObject({ status: 503, code: 'service-unavailable' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(controller.targets.size).toBe(0);
  expect((await page.send('GET', `${targets}?scope_id=global&recursive=true`)).status).toBe(200);
  other.exec('COMMIT');
  expect((await page.send('POST', targets, { body: newTarget('held') })).status).toBe(200);
  expect(controller.targets.size).toBe(1);
  await console.close();
  await controller.close();
});

test('ends the sessions of a user with a new password as soon as another process releases the database', async () => {
  const embedded = await startEmbedded({ bff: { busyDeadlineMs: 100 } });
  const { console, controller } = embedded;
  const accountId = controller.accounts.getByLoginName('admin')?.id ?? '';
  const [here, there] = [await embedded.signedIn(), await embedded.signedIn()];
  using other = new DatabaseSync(join(console.dataDir, 'console.db'));
  const ended = Promise.withResolvers<void>();
  controller.accounts.onChange(() => {
    other.exec('BEGIN IMMEDIATE');
    console.bff.endSessionsOf(accountId, 'password').then(ended.resolve, ended.reject);
  });
  const body = { current_password: testPassword, new_password: 'another password' };
  const changed = here.send('POST', '/api/environments/test/access/own-password', { body });
  await expect(ended.promise).rejects.toThrow(StoreUnavailable);
  expect((await changed).status).toBe(503);
  await console.bff.upkeep();
  const status = async (page: Browser) => (await page.send('GET', '/api/session')).status;
  expect([await status(here), await status(there)]).toEqual([200, 200]);

  other.exec('COMMIT');
  console.clock.advance(1);
  const later = console.browser();
  await signInAs(later, 'admin', body.new_password);
  await console.bff.upkeep();
  // The session that changed the password ends too, because its request failed halfway.
  expect([await status(here), await status(there), await status(later)]).toEqual([401, 401, 200]);
  await embedded.close();
});

describe.runIf(postgres !== undefined)('a PostgreSQL database', () => {
  const failOver = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'gatehouse' AND datname = current_database()`;
  /** A console with its own database and a signed-in user, and a second connection to the database. */
  const start = async () => {
    const databaseUrl = (await postgres?.database()) ?? '';
    const controller = await boundaryController();
    const access = { kind: 'url', url: new URL(controller.url) } as const;
    const console = await startConsole({ access, databaseUrl });
    const page = console.browser();
    await signInAs(page, 'admin', boundaryPassword);
    const direct = new pg.Client(databaseUrl);
    await direct.connect();
    const close = async () => {
      await console.close();
      await controller.close();
      await direct.end();
    };
    return { controller, page, direct, [Symbol.asyncDispose]: close };
  };

  test("serves others while one user's statements wait for a lock", async () => {
    const url = (await postgres?.database()) ?? '';
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const database = await openPostgres(url);
    const runFor = (name: string, text: string) =>
      writeFor(
        () => ({ name, isKnown: true }),
        () => database.run(sql.raw(text).compile(database.build)),
      );
    const waiting = Array.from({ length: 12 }, () => runFor('ada', 'SELECT pg_advisory_xact_lock(1)'));
    expect(await runFor('bob', 'SELECT 1')).toBe(1);
    await holder.end();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 1));
    await database.close();
  });

  test('signs nobody out during a failover, and does nothing twice or unrecorded', async () => {
    await using at = await start();
    const expected: string[] = [];
    for (let round = 0; round < 8; round++) {
      const names = [1, 2, 3].map((n) => `target-${round}-${n}`);
      const [answers] = await Promise.all([
        Promise.all(names.map((name) => at.page.send('POST', targets, { body: newTarget(name) }))),
        at.direct.query(failOver),
      ]);
      for (const [index, { status }] of answers.entries()) {
        expect([200, 503]).toContain(status);
        if (status === 200) expected.push(names[index] ?? '');
      }
    }
    await expect.poll(async () => (await at.page.send('GET', '/api/session')).status).toBe(200);
    expect([...at.controller.targets.values()].map(({ name }) => name).sort()).toEqual(expected.sort());
    expect((await at.page.send('POST', targets, { body: newTarget('last') })).status).toBe(200);
  });

  test('is unavailable to /healthz while it is read-only, and still reads', async () => {
    await using at = await start();
    const health = async () => (await at.page.send('GET', '/healthz')).status;
    const makeReadOnly = async (is: 'on' | 'off'): Promise<void> => {
      await at.direct.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${is}', current_database()); END $$`,
      );
      await at.direct.query(failOver);
    };
    expect(await health()).toBe(200);
    await makeReadOnly('on');
    await expect.poll(health).toBe(503);
    expect((await at.page.send('POST', targets, { body: newTarget('refused') })).status).toBe(503);
    expect((await at.page.send('GET', '/api/session')).status).toBe(200);
    await makeReadOnly('off');
    await expect.poll(health).toBe(200);
  });

  test('reports a full disk, refuses changes, still reads, and recovers', async () => {
    await using at = await start();
    await at.direct.query(`
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION no_room();`);
    const refused = await at.page.send('POST', targets, { body: newTarget('full') });
    expect(refused.json).toMatchObject({ status: 507, code: 'storage-full' });
    expect(at.controller.targets.size).toBe(0);
    expect((await at.page.send('GET', '/api/session')).status).toBe(200);
    await at.direct.query('DROP TRIGGER no_room ON audit');
    expect((await at.page.send('POST', targets, { body: newTarget('full') })).status).toBe(200);
  });
});

test.runIf(postgres !== undefined)('a missing database is reported in words', async () => {
  await expect(openPostgres('postgres://console@127.0.0.1:1/none')).rejects.toThrow(
    "PostgreSQL can't be used: connect ECONNREFUSED 127.0.0.1:1.",
  );
});

test.runIf(postgres !== undefined)('a database of another encoding is refused in words', async () => {
  const url = (await postgres?.database()) ?? '';
  const direct = new pg.Client(url);
  await direct.connect();
  await direct.query(`CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
  await direct.end();
  await expect(openPostgres(url.replace(/console_\d+/, 'latin'))).rejects.toThrow(
    "the database's encoding is LATIN1",
  );
});

test.each([
  ['EAI_AGAIN', true],
  ['ECONNRESET', true],
  ['CERT_HAS_EXPIRED', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
  ['ERR_TLS_CERT_ALTNAME_INVALID', true],
  ['28P01', true],
  ['3D000', true],
  ['57P03', true],
  ['23505', false],
  ['42601', false],
  ['ERR_INVALID_ARG_TYPE', false],
])('knows whether the code %s says that the database is unavailable', (code, expected) => {
  expect(isUnavailable(Object.assign(new Error('failed'), { code }))).toBe(expected);
});

test.runIf(postgres !== undefined)(
  'a console that starts waits for another one that updates the schema longer than statements may take',
  async () => {
    const url = (await postgres?.database()) ?? '';
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT pg_advisory_xact_lock(7104201)');
    const opened = openPostgres(url, 100);
    const waited = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event = 'advisory' AND clock_timestamp() - query_start > interval '1.5 s'`;
    const watch = new pg.Client(url);
    await watch.connect();
    const ended: true[] = [];
    const settled = opened.then(
      () => ended.push(true),
      () => ended.push(true),
    );
    while (ended.length === 0 && (await watch.query(waited)).rowCount === 0);
    expect(ended).toEqual([]);
    await other.query('COMMIT');
    await settled;
    await (await opened).close();
    await Promise.all([other.end(), watch.end()]);
  },
);
