import { expect, test } from 'vitest';
import { endOfTurn } from './end-of-turn.ts';

test('who waits in a turn goes on at its end, in the order of asking; so in the next', async () => {
  for (let turn = 1; turn <= 2; turn += 1) {
    const seen: string[] = [];
    const wait = async (name: string): Promise<void> => {
      seen.push(`${name} asks`);
      await endOfTurn();
      seen.push(`${name} goes on`);
    };
    const first = wait('first');
    const second = Promise.withResolvers<void>();
    // A callback of its own, as the request of another connection is.
    process.nextTick(() => second.resolve(wait('second')));
    await Promise.all([first, second.promise]);
    expect(seen).toEqual(['first asks', 'second asks', 'first goes on', 'second goes on']);
  }
});
