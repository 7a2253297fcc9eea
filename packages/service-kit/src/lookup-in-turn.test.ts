import type { LookupAddress } from 'node:dns';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { lookupInTurn, lookupsInTurn } from './lookup-in-turn.ts';
import { writeFor } from './write-queue.ts';

test('finds the addresses of a name for a connection', async () => {
  for (const autoSelectFamily of [true, false]) {
    const socket = connect({ host: 'localhost', port: 1, lookup: lookupInTurn, autoSelectFamily });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    socket.on('lookup', (error, address) => resolve([error, address])).on('error', () => undefined);
    expect(await promise).toEqual([null, expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/)]);
  }
});

test('works on one name at a time, and lets users take turns', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const look = lookupsInTurn((hostname) => {
    begun.push(hostname);
    const { promise, resolve } = Promise.withResolvers<LookupAddress[]>();
    ends.push(() => resolve([{ address: '192.0.2.1', family: 4 }]));
    return promise;
  });
  const found: unknown[] = [];
  for (const [user, hostname] of [
    ['a', 'a1'],
    ['a', 'a2'],
    ['a', 'a3'],
    ['b', 'b1'],
  ] as const)
    writeFor(
      () => ({ name: user }),
      () => look(hostname, {}, (...answer) => void found.push(answer)),
    );
  for (const expected of [['a1'], ['a1', 'a2'], ['a1', 'a2', 'b1'], ['a1', 'a2', 'b1', 'a3']]) {
    await new Promise(setImmediate);
    expect(begun).toHaveLength(expected.length);
    ends.at(-1)?.();
  }
  expect(begun.indexOf('b1')).toBeLessThan(begun.indexOf('a3'));
  await new Promise(setImmediate);
  expect(found).toEqual(begun.map(() => [null, '192.0.2.1', 4]));
});
