import { randomBytes } from 'node:crypto';
import { testClock } from '@gatehouse/service-kit/clock';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, describe, expect, test } from 'vitest';
import type { Database } from '#store/database.ts';
import { boundaryController, boundaryPassword } from '#test/boundary-controller.ts';
import { signInAs, startConsole } from '#test/console.ts';
import { startPostgres } from '#test/postgres.ts';
import { granted, person, replicaKinds, replicasOfEach, slowReads } from '#test/replicas.ts';
import { sessions } from './sessions.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each(replicaKinds(postgres))('on %s, two replicas', (_kind, opener) => {
  const at = replicasOfEach(opener);
  const place = { environment: 'test', service: 'access' } as const;

  test('the session that changes its password is spared by this change only', async () => {
    const { one } = at;
    const change = async (isRight: boolean, during: () => Promise<unknown>): Promise<unknown[]> => {
      const { secret, session } = await one.sessions.begin(person);
      const own = { sessionId: session.id, environment: 'test', accountId: 'u_1' };
      const continues = await one.sessions
        .changingPassword(own, async () => {
          await during();
          if (!isRight) throw new Error('wrong password');
          await one.sessions.endOfAccount(place, 'u_1', { except: session.id });
        })
        .catch(() => undefined);
      return [continues, (await one.sessions.resolve(secret, { activity: false })).session !== undefined];
    };
    const password = () => one.sessions.endOfPassword(place, 'u_1');
    expect(await change(true, password)).toEqual([true, true]);
    expect(await change(true, () => password().then(password))).toEqual([false, false]);
    expect(await change(false, () => Promise.resolve())).toEqual([undefined, true]);
    expect(await change(false, password)).toEqual([undefined, false]);
    const disable = () => one.sessions.endOfAccount(place, 'u_1');
    expect(await change(true, disable)).toEqual([false, false]);
    expect(await change(false, disable)).toEqual([undefined, false]);
  });

  test('end sessions by an ID only at services where it is the same account', async () => {
    const { one, clock } = at;
    const socket = { kind: 'socket', path: '/nowhere' } as const;
    const url = { kind: 'url', url: new URL('http://127.0.0.1:1') } as const;
    const environment = (
      id: string,
      access: typeof socket | typeof url,
      boxes: typeof socket | typeof url,
    ) => ({
      id,
      name: id,
      kind: 'development' as const,
      sharedAccounts: true,
      services: {
        access: { endpoint: access, signIn: ['password' as const] },
        boxes: { endpoint: boxes, signIn: ['password' as const] },
      },
    });
    const mixed = sessions(
      one.database,
      clock,
      [
        environment('test', socket, socket),
        environment('embedded', socket, url),
        environment('mixed', url, socket),
      ],
      one.revocations,
      () => undefined,
    );
    const ids = ['test/access', 'embedded/access', 'embedded/boxes', 'mixed/access', 'mixed/boxes'].map(
      (service) => `${service}/u_1`,
    );
    const accounts = new Set<string>();
    for (const personId of ids) {
      const { session } = await mixed.begin({ ...person, personId });
      accounts.add(session.account);
      // Connected with another account of the controller that is called by address, whose ID is the same.
      if (personId === 'embedded/boxes/u_1')
        await one.connections.keep(session.id, 'mixed', 'access', granted(1));
    }
    // Their turns and limits count once.
    expect(accounts.size).toBe(1);
    const idsOf = async (environment: string) =>
      (await mixed.ofAccount({ environment, service: 'access' }, 'u_1'))
        .map(({ person_id }) => person_id)
        .toSorted();
    expect(await idsOf('test')).toEqual(['embedded/access/u_1', 'mixed/boxes/u_1', 'test/access/u_1']);
    expect(await idsOf('mixed')).toEqual(['embedded/boxes/u_1', 'mixed/access/u_1']);
    await mixed.endOfAccount(place, 'u_1');
    expect(await idsOf('test')).toEqual([]);
    expect(await idsOf('mixed')).toHaveLength(2);
  });

  test('forget an ended session, even if it was being read while it ended', async () => {
    const { one, clock } = at;
    const { slow, during } = slowReads(one.database);
    const begun = sessions(slow, clock, [], one.revocations, () => undefined);
    const { secret, session } = await begun.begin(person);
    await during(
      () => begun.resolve(secret, { activity: false }),
      () => begun.end(session.id, 'ended'),
    );
    expect(await begun.resolve(secret, { activity: false })).toEqual({ reason: 'ended' });
  });

  test('look up few made-up secrets at once, and known ones beside them', async () => {
    const { one, clock } = at;
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
    const begun = sessions(slow, clock, [], one.revocations, () => undefined);
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

  test('a user has 200 sessions, of which a further one ends that with the oldest activity', async () => {
    const { one, clock } = at;
    const personId = 'test/access/u_many';
    const begun: { readonly secret: string }[] = [];
    for (let n = 0; n < 200; n++) {
      begun.push(await one.sessions.begin({ ...person, personId }));
      clock.advance(1);
    }
    const isActive = async (number: number): Promise<boolean> =>
      (await one.sessions.resolve(begun[number]?.secret, { activity: true })).session !== undefined;
    expect(await isActive(0)).toBe(true);
    await one.sessions.begin({ ...person, personId });
    expect([await isActive(0), await isActive(1), await isActive(2)]).toEqual([true, false, true]);
    expect(await one.sessions.ofPerson(personId)).toHaveLength(200);
  });

  test('know the same sessions, and end them for each other', async () => {
    const { one, two, clock } = at;
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
    const { one, two, clock } = at;
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

  test('count attempts together, also concurrent ones', async () => {
    const { one, two, clock } = at;
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

  test('keep the last write of a preference', async () => {
    const { one, two } = at;
    await one.preferences.put('ada', 'theme', 'dark');
    await two.preferences.put('ada', 'theme', null);
    await two.preferences.put('bob', 'theme', 'light');
    expect(await one.preferences.all('ada')).toEqual({ theme: null });
  });

  test('delete sessions that ended long ago, with everything that belongs to them', async () => {
    const { one, two, clock } = at;
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
