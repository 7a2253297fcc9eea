import { writeFor } from '@gatehouse/service-kit/write-queue';
import { expect, test } from 'vitest';
import { removalTurns, requestTurns } from './turns.ts';

/** Works of users at engines that end when the test does. */
function works() {
  const { promise: never } = Promise.withResolvers<never>();
  const begun: string[] = [];
  /** @param name of the user and the engine, such as `a7` */
  const work = (name: string) => () => {
    begun.push(name);
    return never;
  };
  return {
    begun,
    work,
    /** How many works have begun at each place once all that may have. */
    async count(): Promise<Record<string, number>> {
      await new Promise(setImmediate);
      return Object.fromEntries(
        [...Map.groupBy(begun, (name) => name)].map(([name, { length }]) => [name, length]),
      );
    },
  };
}

/** Requests of users at engines. @returns asks several times; the reasons for which it was refused */
function requests({ work }: ReturnType<typeof works>, giveWay = () => Promise.resolve()) {
  const inTurn = requestTurns();
  const refused: unknown[] = [];
  const ask = (name: string, times: number): void => {
    const [user, engine] = [name.slice(0, 1), name.slice(1)];
    for (let time = 0; time < times; time += 1)
      writeFor(
        () => ({ name: user }),
        () => inTurn({ mount: { id: Number(engine) }, giveWay }, work(name)),
      ).catch((error: unknown) => refused.push(error));
  };
  return { ask, refused };
}

test('a user has four requests at an engine, and sixteen at all, and then one at each further', async () => {
  const all = works();
  const { ask } = requests(all);
  for (const engine of '12345678') ask(`a${engine}`, 6);
  expect(await all.count()).toEqual({ a1: 4, a2: 4, a3: 4, a4: 4, a5: 1, a6: 1, a7: 1, a8: 1 });
});

test('an engine has sixteen requests, and users take turns at all engines', async () => {
  const all = works();
  const { ask } = requests(all);
  for (const user of 'abcdef') ask(`${user}1`, 4);
  expect(await all.count()).toEqual({ a1: 4, b1: 4, c1: 4, d1: 4 });
  for (const [index, user] of 'ghijklmnopqrstuvwxyzABC'.split('').entries()) ask(`${user}${index + 2}`, 4);
  const counted = await all.count();
  // 96, and one for each user that had none.
  expect(Object.values(counted).reduce((sum, each) => sum + each)).toBe(96 + 3);
  expect([counted['z21'], counted['A22'], counted['C24']]).toEqual([4, 1, 1]);
});

test('256 requests of a user wait at all engines', async () => {
  const all = works();
  const { ask, refused } = requests(all);
  for (const engine of '12345') ask(`a${engine}`, 4 + 64);
  await all.count();
  expect(refused).toHaveLength(5 * 68 - (16 + 1) - 256);
  expect(refused).toContainEqual(expect.objectContaining({ reason: 'own' }));
  expect(refused).not.toContainEqual(expect.objectContaining({ reason: 'all' }));
});

test('a request whose client has left while it waited does nothing', async () => {
  const all = works();
  const { ask, refused } = requests(all, () => Promise.reject(new Error('left')));
  ask('a1', 1);
  expect(await all.count()).toEqual({});
  expect(refused).toEqual([new Error('left')]);
});

test('removals of a namespace leave places to others, until the server stops', async () => {
  const all = works();
  const closed = new AbortController();
  const namespaces = ['', 'a/', 'a/b/', 'c/'];
  const inTurn = removalTurns((mountId) => namespaces[mountId % 10], closed.signal);
  const refused: unknown[] = [];
  const remove = (mountId: number): void => {
    inTurn(mountId, all.work(String(mountId))).catch((error: unknown) => refused.push(error));
  };
  for (let engine = 0; engine < 200; engine += 10)
    for (const namespace of [1, 2, 1]) remove(engine + namespace);
  await all.count();
  expect(all.begun).toHaveLength(24);
  for (let time = 0; time < 20; time += 1) for (const namespace of [0, 3]) remove(namespace);
  expect((await all.count())['0']).toBe(8);
  expect((await all.count())['3']).toBe(8);
  closed.abort(new Error('closed'));
  await all.count();
  expect(refused).toHaveLength(60 + 40 - 24 - 16);
});
