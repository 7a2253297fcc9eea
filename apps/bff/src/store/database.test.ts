import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testPassword } from '@gatehouse/access-controller/testing/controller';
import { systemClock, testClock, type TestClock } from '@gatehouse/service-kit/clock';
import { silentLog } from '@gatehouse/service-kit/log';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { StoreUnavailable } from '@gatehouse/service-kit/store';
import { temporaryFolder, type TemporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { CompiledQuery } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnsAmongConsoles } from '#conflict/turns-among-consoles.ts';
import { isHeld } from '#ground/held.ts';
import { ProblemError } from '#ground/problem.ts';
import { connections, type Connections } from '#session/connections.ts';
import { preferences, type Preferences } from '#session/preferences.ts';
import { revocations, type Revocations } from '#session/revocations.ts';
import { sessions, type NewSession, type Sessions } from '#session/sessions.ts';
import { signInLimits, type SignInLimits } from '#session/sign-in-limits.ts';
import { tokenSeal } from '#session/token-seal.ts';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import type { Browser } from '#test/browser.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { startEmbedded } from '#test/embedded.ts';
import { postgresProxy } from '#test/postgres-proxy.ts';
import { startPostgres } from '#test/postgres.ts';
import type { Database } from './database.ts';
import { isUnavailable, openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

/** Opens the same database several times, as replicas do. */
type Opener = (folder: TemporaryFolder) => Promise<() => Promise<Database>>;
const kinds: [string, Opener][] = [
  ['SQLite', async (folder) => async () => openSqlite(folder.file('console.db'))],
];
if (postgres !== undefined) {
  kinds.push([
    'PostgreSQL',
    async () => {
      const url = await postgres.database();
      return () => openPostgres(url);
    },
  ]);
}

const person: NewSession = {
  personId: 'test/access/u_1',
  personName: 'Ada',
  loginName: 'ada',
  environment: 'test',
  service: 'access',
  method: 'password',
  tokenExpiresAt: null,
  address: '127.0.0.1',
  client: 'Chromium 156 on Linux',
};
const granted = (n: number) => ({
  token: `at_${n}_s1x`,
  tokenId: `at_${n}`,
  accountId: 'u_1',
  accountName: 'Ada',
  loginName: 'ada',
  expiresAt: null,
});

interface Replica {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly connections: Connections;
  readonly revocations: Revocations;
  readonly limits: SignInLimits;
  readonly preferences: Preferences;
}

describe.each(kinds)('on %s, two replicas', (_kind, opener) => {
  let folder: TemporaryFolder;
  let clock: TestClock;
  let one: Replica;
  let two: Replica;
  let revoked: string[];
  let serviceDown: boolean;
  /** If set, the service answers late: each function lets it answer one call. */
  let answers: (() => void)[] | undefined;

  beforeEach(async () => {
    folder = temporaryFolder();
    clock = testClock();
    revoked = [];
    serviceDown = false;
    answers = undefined;
    const open = await opener(folder);
    const keys = keyRingFromFile(folder.file('keys.json'));
    const replica = async (heartbeatMs: number): Promise<Replica> => {
      const database = await open();
      const seal = tokenSeal(
        () => keys,
        clock,
        () => 'https://service.example',
      );
      const queue = revocations({
        database,
        clock,
        seal,
        log: silentLog,
        heartbeatMs,
        revoke: async (_environment, service, tokenId) => {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (service !== 'modules' && answers?.push(resolve) !== undefined) await promise;
          if (serviceDown) throw new ProblemError('service-unavailable', 'down');
          revoked.push(tokenId);
        },
      });
      const kept = connections(database, clock, seal, queue);
      return {
        database,
        revocations: queue,
        connections: kept,
        sessions: sessions(database, clock, queue, (id) => kept.forget(id)),
        limits: signInLimits(database, clock, []),
        preferences: preferences(database),
      };
    };
    [one, two] = await Promise.all([replica(10), replica(3_600_000)]);
  });
  afterEach(async () => {
    for (const answer of answers ?? []) answer();
    for (const { revocations: queue, database } of [one, two]) {
      await queue.close();
      await database.close();
    }
    folder[Symbol.dispose]();
  });

  test('the session that changes its password is spared by this change only', async () => {
    const change = async (isRight: boolean, during: () => Promise<void>): Promise<unknown[]> => {
      const { secret, session } = await one.sessions.begin(person);
      const own = { sessionId: session.id, environment: 'test', accountId: 'u_1' };
      const continues = await one.sessions
        .changingPassword(own, async () => {
          await during();
          if (!isRight) throw new Error('wrong password');
          await one.sessions.endOfAccount(['test'], 'u_1', { except: session.id });
        })
        .catch(() => undefined);
      return [continues, (await one.sessions.resolve(secret, { activity: false })).session !== undefined];
    };
    const password = () => one.sessions.endOfPassword(['test'], 'u_1');
    expect(await change(true, password)).toEqual([true, true]);
    expect(await change(true, () => password().then(password))).toEqual([false, false]);
    expect(await change(false, () => Promise.resolve())).toEqual([undefined, true]);
    expect(await change(false, password)).toEqual([undefined, false]);
    const disable = () => one.sessions.endOfAccount(['test'], 'u_1');
    expect(await change(true, disable)).toEqual([false, false]);
    expect(await change(false, disable)).toEqual([undefined, false]);
  });

  test('revoke tokens soon after the clock was set back', async () => {
    await one.revocations.close();
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'late', token: 'a' });
    clock.setWall(clock.now() - 5 * 60_000);
    await two.revocations.run();
    expect(revoked).toEqual([]);
    clock.setWall(clock.now() - 3_600_000);
    await two.revocations.run();
    expect(revoked).toEqual(['late']);
  });

  /** A database whose reads end only after what happens during them. */
  const slowReads = () => {
    let held: PromiseWithResolvers<void> | undefined;
    let isRead = false;
    const slow: Database = {
      ...one.database,
      async get(query) {
        const row = await one.database.get(query);
        isRead = true;
        await held?.promise;
        return row;
      },
    };
    const during = async (read: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> => {
      const waiting = Promise.withResolvers<void>();
      held = waiting;
      isRead = false;
      const early = read();
      await expect.poll(() => isRead).toBe(true);
      held = undefined;
      await change();
      waiting.resolve();
      await early;
    };
    return { slow, during };
  };

  test('forget an ended session, even if it was being read while it ended', async () => {
    const { slow, during } = slowReads();
    const begun = sessions(slow, clock, one.revocations, () => undefined);
    const { secret, session } = await begun.begin(person);
    await during(
      () => begun.resolve(secret, { activity: false }),
      () => begun.end(session.id, 'ended'),
    );
    expect(await begun.resolve(secret, { activity: false })).toEqual({ reason: 'ended' });
  });

  test('forget a changed token, even if it was being read while it changed', async () => {
    const { slow, during } = slowReads();
    const seal = tokenSeal(
      () => keyRingFromFile(folder.file('keys.json')),
      clock,
      () => 'https://service.example',
    );
    const kept = connections(slow, clock, seal, one.revocations);
    const { session } = await one.sessions.begin(person);
    const read = () => kept.token(session.id, 'test', 'access');
    await kept.keep(session.id, 'test', 'access', granted(1));
    await during(read, () => kept.keep(session.id, 'test', 'access', granted(2)));
    expect(await read()).toMatchObject({ tokenId: 'at_2' });
    clock.advance(one.database.freshForMs);
    await during(read, () => kept.refuse(session.id, 'test', 'access', 'at_2'));
    expect(await read()).toBe('refused');
    await kept.keep(session.id, 'test', 'access', granted(3));
    await during(read, async () => {
      await one.sessions.end(session.id, 'ended');
      kept.forget(session.id);
    });
    expect(await read()).toBe('none');
  });

  test('look up few made-up secrets at once, and known ones beside them', async () => {
    const held: (() => void)[] = [];
    let isSlow = false;
    const slow: Database = {
      ...one.database,
      async get(query) {
        const { promise, resolve } = Promise.withResolvers<void>();
        if (isSlow && held.push(resolve) > 0) await promise;
        return one.database.get(query);
      },
    };
    const begun = sessions(slow, clock, one.revocations, () => undefined);
    const { secret, session } = await begun.begin(person);
    const resolve = (text: string) => begun.resolve(text, { activity: false });
    await resolve(secret);
    isSlow = true;
    clock.advance(60_000);
    const unknown = Array.from({ length: 50 }, () => resolve(randomBytes(32).toString('base64url')));
    await expect.poll(() => held.length).toBe(3);
    const known = resolve(secret);
    await expect.poll(() => held.length).toBe(4);
    held[3]?.();
    expect((await known).session?.id).toBe(session.id);
    isSlow = false;
    for (const go of held) go();
    for (const found of await Promise.all(unknown)) expect(found.session).toBeUndefined();
  });

  test('know the same sessions, and end them for each other', async () => {
    const { secret, session } = await one.sessions.begin(person);
    expect((await two.sessions.resolve(secret, { activity: true })).session).toMatchObject({
      id: session.id,
      personName: 'Ada',
    });
    expect(await two.sessions.end(session.id, 'ended')).toBe(true);
    clock.advance(one.database.freshForMs);
    expect(await one.sessions.resolve(secret, { activity: true })).toEqual({ reason: 'ended' });
    expect(await one.sessions.end(session.id, 'ended')).toBe(false);
    expect(await one.sessions.ofPerson(person.personId)).toEqual([]);
  });

  test('activity at one keeps the session at the other', async () => {
    const { secret } = await one.sessions.begin(person);
    for (let minutes = 0; minutes < 40; minutes += 10) {
      clock.advance(10 * 60_000);
      expect((await one.sessions.resolve(secret, { activity: true })).session).toBeDefined();
    }
    clock.advance(10 * 60_000);
    expect((await two.sessions.resolve(secret, { activity: false })).session).toBeDefined();
    clock.advance(5 * 60_000);
    expect(await two.sessions.resolve(secret, { activity: false })).toEqual({ reason: 'idle' });
  });

  test('keep one token for each service, however many arrive at once, and revoke the others once', async () => {
    const { session } = await one.sessions.begin(person);
    const keep = (replica: Replica, n: number) =>
      replica.connections.keep(session.id, 'test', 'access', granted(n));
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => keep(n % 2 === 0 ? one : two, n)));
    await Promise.all([one.revocations.run(), two.revocations.run()]);
    await Promise.all([one.revocations.run(), two.revocations.run()]);
    clock.advance(one.database.freshForMs);
    const left = await one.connections.token(session.id, 'test', 'access');
    expect(await two.connections.token(session.id, 'test', 'access')).toEqual(left);
    const tokenId = typeof left === 'object' ? left.tokenId : left;
    expect([...revoked, tokenId].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `at_${n}`));
  });

  test('revoke after the service is back, and give up when the token has ended', async () => {
    const { session } = await one.sessions.begin(person);
    await one.connections.keep(session.id, 'test', 'access', {
      ...granted(1),
      expiresAt: clock.now() + 3_600_000,
    });
    serviceDown = true;
    await one.sessions.end(session.id, 'ended');
    for (let minutes = 0; minutes < 10; minutes++) {
      await two.revocations.run();
      clock.advance(60_000);
    }
    expect(revoked).toEqual([]);
    serviceDown = false;
    clock.advance(300_000);
    await Promise.all([one.revocations.run(), two.revocations.run()]);
    expect(revoked).toEqual(['at_1']);
    await one.connections.keep(session.id, 'test', 'access', {
      ...granted(2),
      expiresAt: clock.now() + 60_000,
    });
    serviceDown = true;
    await one.sessions.sweep();
    await one.revocations.run();
    clock.advance(360_000);
    await one.revocations.run();
    serviceDown = false;
    clock.advance(3_600_000);
    await one.revocations.run();
    expect(revoked).toEqual(['at_1']);
  });

  /** A token that waits for its revocation, and its row. */
  const queued = async () => {
    const { session } = await one.sessions.begin(person);
    await one.connections.keep(session.id, 'test', 'access', granted(1));
    const { database } = one;
    await database.batch(one.revocations.queueAll(session.id));
    return () => database.get(database.build.selectFrom('revocation').selectAll().compile());
  };

  test('revoke a token once, however late the service answers', async () => {
    const row = await queued();
    answers = [];
    const running = one.revocations.run();
    await expect.poll(() => answers).toHaveLength(1);
    for (let halves = 0; halves < 3; halves++) {
      clock.advance(30_000);
      await expect.poll(async () => (await row())?.next_attempt_at).toBe(clock.now() + 60_000);
      await two.revocations.run();
    }
    answers[0]?.();
    await running;
    expect([answers.length, revoked, await row()]).toEqual([1, ['at_1'], undefined]);
  });

  test("wait for a service that doesn't answer about one token without delaying the others", async () => {
    const queues: CompiledQuery[] = [];
    for (const [n, service] of (['access', 'access', 'secrets'] as const).entries()) {
      const { session } = await one.sessions.begin(person);
      await one.connections.keep(session.id, 'test', service, granted(n));
      queues.push(...one.revocations.queueAll(session.id));
    }
    // Waits for the work that storing the tokens has started.
    await one.revocations.run();
    await one.database.batch(queues);
    answers = [];
    const running = one.revocations.run();
    await expect.poll(() => answers).toHaveLength(2);
    serviceDown = true;
    for (const answer of answers) answer();
    await running;
    expect(answers).toHaveLength(2);
    serviceDown = false;
    answers = undefined;
    await one.revocations.run();
    expect(revoked).toHaveLength(1);
  });

  test('revoke the tokens of one service while another one is slow', async () => {
    answers = [];
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'slow', token: 'a' });
    await expect.poll(() => answers).toHaveLength(1);
    const more = { tokenId: 'slow too', token: 'b' };
    await one.revocations.revokeUnused(place, more);
    await one.revocations.revokeUnused({ ...place, service: 'modules' }, { tokenId: 'quick', token: 'c' });
    await expect.poll(() => revoked).toEqual(['quick']);
    answers[0]?.();
    await expect.poll(() => answers).toHaveLength(2);
    answers[1]?.();
    await expect.poll(() => revoked).toEqual(['quick', 'slow', 'slow too']);
  });

  test('revoke the tokens of one service beside very many that are due at another', async () => {
    const { build } = one.database;
    serviceDown = true;
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'old', token: 'a' });
    await one.revocations.revokeUnused({ ...place, service: 'modules' }, { tokenId: 'other', token: 'b' });
    await one.revocations.run();
    const row = await one.database.get(
      build.selectFrom('revocation').selectAll().where('token_id', '=', 'old').compile(),
    );
    if (row === undefined) throw new Error('the token is not queued');
    const more = Array.from({ length: 1_000 }, (_, n) => ({ ...row, id: `old ${n}`, next_attempt_at: 0 }));
    await one.database.batch(more.map((values) => build.insertInto('revocation').values(values).compile()));
    serviceDown = false;
    answers = [];
    clock.advance(5_000);
    const running = one.revocations.run();
    await expect.poll(() => revoked).toEqual(['other']);
    serviceDown = true;
    answers[0]?.();
    await running;
  });

  test('revoke all tokens of one service, though a batch has few of them beside those of another', async () => {
    const { build } = one.database;
    serviceDown = true;
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'slow', token: 'a' });
    await one.revocations.revokeUnused({ ...place, service: 'modules' }, { tokenId: 'quick', token: 'b' });
    await one.revocations.run();
    const rows = await one.database.all(build.selectFrom('revocation').selectAll().compile());
    const [slow, quick] = ['slow', 'quick'].map((id) => rows.find(({ token_id }) => token_id === id));
    if (slow === undefined || quick === undefined) throw new Error('both tokens are queued');
    const more = [
      ...Array.from({ length: 997 }, (_, n) => ({ ...slow, id: `slow ${n}`, next_attempt_at: 0 })),
      ...Array.from({ length: 29 }, (_, n) => ({ ...quick, id: `quick ${n}`, next_attempt_at: 1 })),
    ];
    await one.database.batch(more.map((values) => build.insertInto('revocation').values(values).compile()));
    serviceDown = false;
    answers = [];
    clock.advance(5_000);
    const running = one.revocations.run();
    await expect.poll(() => revoked).toHaveLength(30);
    const [first] = answers;
    answers = undefined;
    serviceDown = true;
    first?.();
    await running;
  });

  test.each(['confirms it', 'fails'])(
    'leave a token to the one that has it by the time the service %s',
    async (how) => {
      const row = await queued();
      answers = [];
      // The second replica sends no heartbeat before its lease ends.
      const losing = two.revocations.run();
      await expect.poll(() => answers).toHaveLength(1);
      clock.advance(60_000);
      const taking = one.revocations.run();
      await expect.poll(() => answers).toHaveLength(2);
      const held = await row();
      serviceDown = how === 'fails';
      answers[0]?.();
      await losing;
      expect(await row()).toEqual(held);
      serviceDown = false;
      answers[1]?.();
      await taking;
      expect(await row()).toBeUndefined();
    },
  );

  test('count attempts together, also concurrent ones', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).limits.reserve('ada', '192.0.2.1')),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(5);
    expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'rate-limited' },
    });
    clock.advance(120_000);
    const reserved = await one.limits.reserve('ada', '192.0.2.1');
    await reserved.succeed();
    for (let n = 0; n < 4; n++) await two.limits.reserve('ada', '192.0.2.1');
  });

  test('do one thing to a record at a time, and a dead one delays the other only briefly', async () => {
    const parts = { clock, log: silentLog };
    const [first, second] = [one, two].map(({ database }) => turnsAmongConsoles({ database, ...parts }));
    const done: string[] = [];
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const key = 'secrets/'.repeat(1_000);
    const before = first?.(key, () => {
      begun.resolve();
      return held.promise;
    });
    await begun.promise;
    const after = second?.(key, async () => void done.push('after'));
    await second?.('another', async () => void done.push('another'));
    expect(done).toEqual(['another']);
    held.reject(new Error('failed'));
    await expect(before).rejects.toThrow('failed');
    await after;
    expect(done).toEqual(['another', 'after']);

    const dead = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const died = turnsAmongConsoles({ ...parts, database: one.database, heartbeatMs: 3_600_000 })(key, () => {
      began.resolve();
      return dead.promise.then(isHeld);
    });
    await began.promise;
    clock.advance(20_001);
    const aged = one.database.build.updateTable('turn').set(({ eb }) => ({
      lease_until: eb('lease_until', '-', 20_001),
    }));
    // SQLite's leases were judged by the clock above.
    if (one.database.shared) await one.database.run(aged.compile());
    await second?.(key, async () => void done.push('last'));
    expect(done).toEqual(['another', 'after', 'last']);
    // If it was only suspended, it changes nothing once it goes on.
    dead.resolve();
    expect(await died).toBe(false);
  });

  test('keep the last write of a preference', async () => {
    await one.preferences.put('ada', 'theme', 'dark');
    await two.preferences.put('ada', 'theme', null);
    await two.preferences.put('bob', 'theme', 'light');
    expect(await one.preferences.all('ada')).toEqual({ theme: null });
  });

  test('run a batch completely or not at all', async () => {
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

  test('delete sessions that ended long ago, with everything that belongs to them', async () => {
    const { secret, session } = await one.sessions.begin(person);
    await one.connections.keep(session.id, 'test', 'access', granted(1));
    clock.advance(16 * 60_000);
    await two.sessions.sweep();
    expect(await one.sessions.resolve(secret, { activity: true })).toEqual({ reason: 'idle' });
    clock.advance(25 * 3_600_000);
    await two.sessions.sweep();
    expect(await one.sessions.resolve(secret, { activity: true })).toEqual({ reason: 'none' });
  });
});

test.runIf(postgres !== undefined)(
  'two consoles on one PostgreSQL database are one to the person',
  async () => {
    const databaseUrl = (await postgres?.database()) ?? '';
    using folder = temporaryFolder();
    const keyFile = folder.file('keys.json');
    const controller = await boundaryController();
    const access = { kind: 'url', url: new URL(controller.url) } as const;
    const clock = testClock();
    const one = await startConsole({ access, databaseUrl, keyFile, clock });
    const two = await startConsole({ access, databaseUrl, keyFile, clock });
    const [here, there] = [one.browser(), two.browser()];
    await signInAs(here, 'admin', boundaryPassword);
    there.cookie = here.cookie?.replace(new URL(one.origin).port, new URL(two.origin).port);
    expect((await there.send('GET', '/api/environments/test/access/scopes')).status).toBe(200);
    expect((await there.send('DELETE', '/api/session')).status).toBe(204);
    clock.advance(1_000);
    expect((await here.send('GET', '/api/session')).json).toMatchObject({ status: 401, signedOut: 'ended' });
    await one.bff.upkeep();
    await two.bff.upkeep();
    expect(controller.tokens.size).toBe(0);
    await Promise.all([one.close(), two.close()]);
    await controller.close();
  },
);

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

  test('lets consoles do one thing to a record at a time, however their clocks differ', async () => {
    const url = (await postgres?.database()) ?? '';
    const [here, there] = [await openPostgres(url), await openPostgres(url)];
    const ahead = { ...systemClock, now: () => systemClock.now() + 300_000 };
    const first = turnsAmongConsoles({ database: here, clock: systemClock, log: silentLog });
    const second = turnsAmongConsoles({ database: there, clock: ahead, log: silentLog });
    const done: string[] = [];
    const begun = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const before = first('record', async () => {
      begun.resolve();
      await looked.promise;
      done.push('first');
    });
    await begun.promise;
    const run = there.run.bind(there);
    let looks = 0;
    there.run = (query) => {
      looks += 1;
      // It has been refused once.
      if (looks === 2) looked.resolve();
      return run(query);
    };
    await second('record', async () => void done.push('second'));
    await before;
    expect(done).toEqual(['first', 'second']);
    await Promise.all([here.close(), there.close()]);
  });

  test('delays others only for seconds if a console is suspended in the middle of a change', async () => {
    const url = (await postgres?.database()) ?? '';
    await using proxy = await postgresProxy(url);
    const [suspended, other] = [await openPostgres(proxy.url), await openPostgres(url)];
    const headTo = (sequence: number) => other.build.updateTable('audit_head').set({ sequence }).compile();
    const isStill = Promise.withResolvers<void>();
    proxy.stops = (sql) => {
      if (!sql.startsWith('delete from "turn"')) return false;
      isStill.resolve();
      return true;
    };
    const change = suspended.batch([headTo(7), other.build.deleteFrom('turn').compile()]);
    change.catch(() => undefined);
    await isStill.promise;
    expect(await other.run(headTo(8))).toBe(1);
    await expect(change).rejects.toThrow(StoreUnavailable);
    expect(await other.get(other.build.selectFrom('audit_head').select('sequence').compile())).toEqual({
      sequence: 8,
    });
    for (const one of [suspended, other]) await one.close();
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
