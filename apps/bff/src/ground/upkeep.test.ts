import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { createUpkeep } from './upkeep.ts';

test('a step that hangs delays the others only once, and is started again when it has ended', async () => {
  const held = Promise.withResolvers<void>();
  const done: string[] = [];
  const hangs = () => {
    done.push('hangs');
    return held.promise;
  };
  const upkeep = createUpkeep([hangs, () => done.push('sweeps')], silentLog, 1);
  await upkeep.run();
  await upkeep.run();
  expect(done).toEqual(['hangs', 'sweeps', 'sweeps']);
  held.resolve();
  // It ends a moment later.
  while (done.at(-2) !== 'hangs') await upkeep.run();
});

test('shares the round in progress, so that none queue behind a slow one', async () => {
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const upkeep = createUpkeep(
    [
      () => {
        begun += 1;
        return held.promise;
      },
    ],
    silentLog,
  );
  const rounds = [upkeep.run(), upkeep.run(), upkeep.run()];
  held.resolve();
  await Promise.all(rounds);
  expect(begun).toBe(1);
  await upkeep.run();
  expect(begun).toBe(2);
});

test('closing waits for the step in progress, and starts no other', async () => {
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done: string[] = [];
  const upkeep = createUpkeep(
    [
      async () => {
        begun.resolve();
        await held.promise;
        done.push('first');
      },
      () => done.push('second'),
    ],
    silentLog,
  );
  const round = upkeep.run();
  await begun.promise;
  const closed = upkeep.close().then(() => done.push('closed'));
  held.resolve();
  await Promise.all([round, closed]);
  expect(done).toEqual(['first', 'closed']);
});
