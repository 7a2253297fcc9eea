import type { CompiledQuery } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { startPostgres } from '#test/postgres.ts';
import { granted, person, replicaKinds, replicasOfEach, slowReads, type Replica } from '#test/replicas.ts';
import { connections } from './connections.ts';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

describe.each(replicaKinds(postgres))('on %s, two replicas', (_kind, opener) => {
  const at = replicasOfEach(opener);

  test('revoke tokens soon after the clock was set back', async () => {
    const { one, two, clock, service } = at;
    await one.revocations.close();
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'late', token: 'a' });
    clock.setWall(clock.now() - 5 * 60_000);
    await two.revocations.run();
    expect(service.revoked).toEqual([]);
    clock.setWall(clock.now() - 3_600_000);
    await two.revocations.run();
    expect(service.revoked).toEqual(['late']);
  });

  test('forget a changed token, even if it was being read while it changed', async () => {
    const { one, clock } = at;
    const { slow, during } = slowReads(one.database);
    const kept = connections(slow, clock, at.seal, one.revocations);
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

  test('keep one token for each service, however many arrive at once, and revoke the others once', async () => {
    const { one, two, clock, service } = at;
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
    expect([...service.revoked, tokenId].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `at_${n}`));
  });

  test('revoke after the service is back, and give up when the token has ended', async () => {
    const { one, two, clock, service } = at;
    const { session } = await one.sessions.begin(person);
    await one.connections.keep(session.id, 'test', 'access', {
      ...granted(1),
      expiresAt: clock.now() + 3_600_000,
    });
    service.isDown = true;
    await one.sessions.end(session.id, 'ended');
    for (let minutes = 0; minutes < 10; minutes++) {
      await two.revocations.run();
      clock.advance(60_000);
    }
    expect(service.revoked).toEqual([]);
    service.isDown = false;
    clock.advance(300_000);
    await Promise.all([one.revocations.run(), two.revocations.run()]);
    expect(service.revoked).toEqual(['at_1']);
    await one.connections.keep(session.id, 'test', 'access', {
      ...granted(2),
      expiresAt: clock.now() + 60_000,
    });
    service.isDown = true;
    await one.sessions.sweep();
    await one.revocations.run();
    clock.advance(360_000);
    await one.revocations.run();
    service.isDown = false;
    clock.advance(3_600_000);
    await one.revocations.run();
    expect(service.revoked).toEqual(['at_1']);
  });

  /** A token that waits for its revocation, and its row. The replica may already revoke it, because it stored it. */
  const queued = async ({ sessions, connections: kept, revocations, database }: Replica) => {
    const answers = (at.service.answers = [] as (() => void)[]);
    const { session } = await sessions.begin(person);
    await kept.keep(session.id, 'test', 'access', granted(1));
    await database.batch(revocations.queueAll(session.id));
    const row = () => database.get(database.build.selectFrom('revocation').selectAll().compile());
    return { row, answers };
  };

  test('revoke a token once, however late the service answers', async () => {
    const { one, two, clock, service } = at;
    const { row, answers } = await queued(one);
    const running = one.revocations.run();
    await expect.poll(() => answers).toHaveLength(1);
    for (let halves = 0; halves < 3; halves++) {
      clock.advance(30_000);
      await expect.poll(async () => (await row())?.next_attempt_at).toBe(clock.now() + 60_000);
      await two.revocations.run();
    }
    answers[0]?.();
    await running;
    expect([answers.length, service.revoked, await row()]).toEqual([1, ['at_1'], undefined]);
  });

  test("wait for a service that doesn't answer about one token without delaying the others", async () => {
    const { one, service } = at;
    const queues: CompiledQuery[] = [];
    for (const [n, service] of (['access', 'access', 'secrets'] as const).entries()) {
      const { session } = await one.sessions.begin(person);
      await one.connections.keep(session.id, 'test', service, granted(n));
      queues.push(...one.revocations.queueAll(session.id));
    }
    // Waits for the work that storing the tokens has started.
    await one.revocations.run();
    await one.database.batch(queues);
    service.answers = [];
    const running = one.revocations.run();
    await expect.poll(() => service.answers).toHaveLength(2);
    service.isDown = true;
    for (const answer of service.answers) answer();
    await running;
    expect(service.answers).toHaveLength(2);
    service.isDown = false;
    service.answers = undefined;
    await one.revocations.run();
    expect(service.revoked).toHaveLength(1);
  });

  test('revoke the tokens of one service while another one is slow', async () => {
    const { one, service } = at;
    service.answers = [];
    const place = { environment: 'test', service: 'access' };
    await one.revocations.revokeUnused(place, { tokenId: 'slow', token: 'a' });
    await expect.poll(() => service.answers).toHaveLength(1);
    const more = { tokenId: 'slow too', token: 'b' };
    await one.revocations.revokeUnused(place, more);
    await one.revocations.revokeUnused({ ...place, service: 'modules' }, { tokenId: 'quick', token: 'c' });
    await expect.poll(() => service.revoked).toEqual(['quick']);
    service.answers[0]?.();
    await expect.poll(() => service.answers).toHaveLength(2);
    service.answers[1]?.();
    await expect.poll(() => service.revoked).toEqual(['quick', 'slow', 'slow too']);
  });

  test('revoke the tokens of one service beside very many that are due at another', async () => {
    const { one, clock, service } = at;
    const { build } = one.database;
    service.isDown = true;
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
    service.isDown = false;
    service.answers = [];
    clock.advance(5_000);
    const running = one.revocations.run();
    await expect.poll(() => service.revoked).toEqual(['other']);
    service.isDown = true;
    service.answers[0]?.();
    await running;
  });

  test('revoke all tokens of one service, though a batch has few of them beside those of another', async () => {
    const { one, clock, service } = at;
    const { build } = one.database;
    service.isDown = true;
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
    service.isDown = false;
    service.answers = [];
    clock.advance(5_000);
    const running = one.revocations.run();
    await expect.poll(() => service.revoked).toHaveLength(30);
    const [first] = service.answers;
    service.answers = undefined;
    service.isDown = true;
    first?.();
    await running;
  });

  test.each(['confirms it', 'fails'])(
    'leave a token to the one that has it by the time the service %s',
    async (how) => {
      const { one, two, clock, service } = at;
      const { row, answers } = await queued(two);
      // The second replica sends no heartbeat before its lease ends.
      const losing = two.revocations.run();
      await expect.poll(() => answers).toHaveLength(1);
      clock.advance(60_000);
      const taking = one.revocations.run();
      await expect.poll(() => answers).toHaveLength(2);
      const held = await row();
      service.isDown = how === 'fails';
      answers[0]?.();
      await losing;
      expect(await row()).toEqual(held);
      service.isDown = false;
      answers[1]?.();
      await taking;
      expect(await row()).toBeUndefined();
    },
  );
});
