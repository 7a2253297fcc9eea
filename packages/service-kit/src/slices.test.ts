import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HttpError } from './http-error.ts';
import { askerOf, isTurnOver, paced, probeTurn, Slices, type Asker } from './slices.ts';
import { countTurns } from './testing/turn-counter.ts';
import {
  Unprepared,
  currentConditions,
  requireInFirstWrite,
  requireInWrites,
  withoutConditions,
  writeFor,
} from './write-queue.ts';

test('begins up to four short tasks of users in each turn, and one of strangers', async () => {
  using counter = countTurns();
  const begun = async (asker: Asker, ms: number): Promise<number> => {
    const turns = Array.from({ length: 8 }, async () => {
      await new Slices(() => false, asker).giveWay();
      const began = counter.turn;
      for (const end = performance.now() + ms; performance.now() < end;);
      return began;
    });
    return new Set(await Promise.all(turns)).size;
  };
  expect(await begun({ name: 'ada', isKnown: true }, 0)).toBe(2);
  expect(await begun({ name: 'ada', isKnown: true }, 3)).toBe(8);
  expect(await begun({ name: 'address', isKnown: false }, 0)).toBe(8);
});

test('passes on one piece of all large bodies in each turn if each takes long', async () => {
  using counter = countTurns();
  const turns: number[] = [];
  const receive = async (): Promise<void> => {
    const body = async function* (): AsyncGenerator<number> {
      for (const piece of [1, 2, 3]) {
        await nextTurn();
        yield piece;
      }
    };
    for await (const _ of paced(body())) {
      turns.push(counter.turn);
      for (const end = performance.now() + 6; performance.now() < end;);
    }
  };
  await Promise.all(Array.from({ length: 4 }, receive));
  expect(turns).toHaveLength(12);
  expect(new Set(turns).size).toBe(12);
});

test('a sign-in at a network does not wait for the long reads there', async () => {
  const asker = (method: string): Asker => askerOf(undefined, '192.0.2.1', 'boxes', { method });
  let read = 0;
  const reads = Array.from({ length: 8 }, async () => {
    const slices = new Slices(() => false, asker('GET'));
    for (let slice = 0; slice < 8; slice += 1) {
      await slices.giveWay();
      for (const end = performance.now() + 5; performance.now() < end;);
    }
    read += 1;
  });
  await nextTurn();
  await new Slices(() => false, asker('POST')).giveWay();
  expect(read).toBe(0);
  await Promise.all(reads);
});

test('gives the event loop several turns after a long slice, however many tasks wait', async () => {
  using counter = countTurns();
  const slices: { turn: number; began: number; ended: number }[] = [];
  const work = async (): Promise<void> => {
    const mine = new Slices(() => false, { name: 'ada', isKnown: true });
    for (let slice = 0; slice < 2; slice += 1) {
      await mine.giveWay();
      const began = performance.now();
      for (; performance.now() < began + 6;);
      slices.push({ turn: counter.turn, began, ended: performance.now() });
    }
  };
  await Promise.all([work(), work()]);
  for (const [at, { turn: next, began }] of slices.slice(1).entries()) {
    const before = slices[at] ?? { turn: 0, ended: 0 };
    // On a busy machine the turns may take long.
    expect(next - before.turn >= 16 || began - before.ended >= 10).toBe(true);
  }
});

test('begins the next slice soon, however long other work makes each turn', async () => {
  let turn = 0;
  let isDone = false;
  const blocking = (): void => {
    turn += 1;
    for (const end = performance.now() + 11; performance.now() < end;);
    if (!isDone) setImmediate(blocking);
  };
  setImmediate(blocking);
  const slices = new Slices(() => false, { name: 'ada', isKnown: true });
  const turns: number[] = [];
  for (let slice = 0; slice < 5; slice += 1) {
    await slices.giveWay();
    turns.push(turn);
    for (const end = performance.now() + 6; performance.now() < end;);
  }
  isDone = true;
  expect((turns.at(-1) ?? 0) - (turns[0] ?? 0)).toBeLessThanOrEqual(4 * 3);
});

test('serves signed-in users before strangers, who get one slice in four while users wait', async () => {
  const order: string[] = [];
  const ask = async (name: string, slices: number, isKnown = false): Promise<void> => {
    for (let done = 0; done < slices; done += 1) {
      await new Slices(() => false, { name, isKnown }).giveWay();
      order.push(name);
    }
  };
  await Promise.all([
    ask('address 1', 1),
    ask('address 1', 1),
    ask('address 1', 1),
    ask('address 2', 1),
    ask('Ada', 4, true),
    ask('Ada', 1, true),
    ask('Ben', 2, true),
  ]);
  expect(order.join(', ')).toBe(
    'Ada, Ben, Ada, address 1, Ben, Ada, Ada, address 2, Ada, address 1, address 1',
  );
});

describe('a health probe', () => {
  test('continues immediately while the turn is free', async () => {
    await nextTurn();
    let isOver = false;
    setImmediate(() => {
      isOver = true;
    });
    await probeTurn('192.0.2.1', () => false);
    expect(isOver).toBe(false);
    await nextTurn();
  });

  test('waits before strangers and like one user with all other probes, whose networks take turns', async () => {
    const order: string[] = [];
    const ask = async (name: string, isKnown: boolean): Promise<void> => {
      await new Slices(() => false, { name, isKnown }).giveWay();
      order.push(name);
    };
    const probe = async (address: string): Promise<void> => {
      await probeTurn(address, () => false);
      order.push(address);
    };
    await Promise.all([
      ...Array.from({ length: 3 }, () => ask('stranger', false)),
      // The first three are of one network.
      ...['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.1', '192.0.2.2'].map(probe),
      ...Array.from({ length: 4 }, () => ask('Ada', true)),
    ]);
    expect(order.join(', ')).toBe(
      'Ada, 2001:db8::1, Ada, stranger, 192.0.2.1, Ada, 192.0.2.2, stranger, Ada, 2001:db8::2, 2001:db8::3, stranger',
    );
  });
});

test('has only a few works of one asker under way at a time', async () => {
  let [underWay, most] = [0, 0];
  const work = async (): Promise<void> => {
    const slices = new Slices(() => false, { name: 'ada', isKnown: true });
    for (let slice = 0; slice < 5; slice += 1) {
      await slices.giveWay();
      if (slice === 0) most = Math.max(most, (underWay += 1));
      for (const end = performance.now() + 6; performance.now() < end;);
    }
    underWay -= 1;
  };
  await Promise.all(Array.from({ length: 30 }, work));
  expect(most).toBeLessThanOrEqual(8);
});

test('lets no request overtake those that wait for a turn after a long slice', async () => {
  let isServed = false;
  const long = new Slices(() => false, { name: 'ada', isKnown: true }).giveWay().then(() => {
    for (const end = performance.now() + 6; performance.now() < end;);
  });
  const waiting = new Slices(() => false, { name: 'ben', isKnown: true }).giveWay().then(() => {
    isServed = true;
  });
  await long;
  const later: boolean[] = [];
  for (let turn = 0; turn < 10; turn++) {
    await nextTurn();
    if (!isServed) later.push(isTurnOver());
  }
  expect(later.length).toBeGreaterThan(5);
  expect(new Set(later)).toEqual(new Set([true]));
  await waiting;
  await nextTurn();
  expect(isTurnOver()).toBe(false);
});

test('answers other requests during endless work, and ends the work when its client leaves', async () => {
  const ended: Promise<unknown>[] = [];
  const server = http.createServer((req, res) => {
    if (req.url !== '/endless') {
      res.end('answered');
      return;
    }
    const slices = new Slices(() => req.socket.destroyed, { name: 'ada', isKnown: true });
    ended.push(
      (async () => {
        for (;;) await slices.giveWay();
      })().catch((error: unknown) => error),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path: string): http.ClientRequest =>
    http.get({ host: '127.0.0.1', port, path, agent: false }).on('error', () => undefined);

  const endless = Array.from({ length: 5 }, () => ask('/endless'));
  await expect.poll(() => ended.length).toBe(5);
  const [answer] = (await once(ask('/'), 'response')) as [http.IncomingMessage];
  expect(answer.statusCode).toBe(200);
  answer.resume();
  for (const request of endless) request.destroy();
  const errors = await Promise.all(ended);
  expect(errors).toHaveLength(5);
  for (const error of errors) expect(error).toBeInstanceOf(HttpError);
  server.close();
});

describe('what work requires is judged after each pause', () => {
  const ada: Asker = { name: 'ada', isKnown: true };
  const pause = (): Promise<void> => new Slices(() => false, ada).giveWay();
  const judge = (): void => {
    if (isLost) throw new Error('lost');
  };
  let isLost = false;

  test.each([
    ['each of its writes requires', requireInWrites],
    ['its first write requires', requireInFirstWrite],
  ])('if %s it', async (_, require) => {
    isLost = false;
    await writeFor(
      () => ada,
      async () => {
        require(judge);
        await pause();
        isLost = true;
        await expect(pause()).rejects.toThrow('lost');
        await withoutConditions(pause);
      },
    );
    await pause();
  });

  test.each([
    ['each of its writes requires', requireInWrites],
    ['its first write requires', requireInFirstWrite],
  ])('up to its first change, if %s it', async (_, require) => {
    isLost = false;
    await writeFor(
      () => ada,
      async () => {
        require(judge);
        currentConditions().begun();
        isLost = true;
        await pause();
        requireInFirstWrite(() => {
          throw new Error('required later');
        });
        await expect(pause()).rejects.toThrow('required later');
      },
    );
  });

  test('after what it needs was prepared', async () => {
    let isReady = false;
    const prepare = async (): Promise<void> => {
      await pause();
      isReady = true;
    };
    await writeFor(
      () => ada,
      async () => {
        requireInFirstWrite(() => {
          if (!isReady) throw new Unprepared(new Error('given up'), prepare);
          throw new Error('judged');
        });
        await expect(pause()).rejects.toThrow('judged');
      },
    );
  });
});
