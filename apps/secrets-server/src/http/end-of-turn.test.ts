import { expect, test } from 'vitest';
import { endOfTurn } from './end-of-turn.ts';

test('waiting requests resume at the end of the turn, in order, in every turn', async () => {
  for (let turn = 1; turn <= 2; turn += 1) {
    const seen: string[] = [];
    const wait = async (name: string): Promise<void> => {
      seen.push(`${name} asks`);
      await endOfTurn();
      seen.push(`${name} goes on`);
    };
    const first = wait('first');
    const second = Promise.withResolvers<void>();
    // A separate callback, like the request of another connection.
    process.nextTick(() => second.resolve(wait('second')));
    await Promise.all([first, second.promise]);
    expect(seen).toEqual(['first asks', 'second asks', 'first goes on', 'second goes on']);
  }
});
