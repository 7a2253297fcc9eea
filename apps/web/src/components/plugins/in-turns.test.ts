import { expect, test } from 'vitest';
import { inTurns, type TurnsState } from './in-turns.ts';

function turns(parallel: number) {
  const begun: string[] = [];
  const states: TurnsState[] = [];
  const waiting = new Map<string, () => void>();
  const made = inTurns(
    parallel,
    (id) => {
      begun.push(id);
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.set(id, () => {
        resolve(undefined);
      });
      return promise;
    },
    (state) => states.push(state),
  );
  const finish = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) waiting.get(id)?.();
    await new Promise(setImmediate);
  };
  return { ...made, begun, states, finish };
}

test('runs a few at once, and individual requests before the rest', async () => {
  const { soon, rest, begun, states, finish } = turns(2);
  rest(['a', 'b', 'c', 'd']);
  soon('d');
  soon('a');
  expect(begun).toEqual(['a', 'b']);
  await finish('a', 'b');
  expect(begun).toEqual(['a', 'b', 'd', 'c']);
  expect(states).toEqual(['rest']);
  await finish('c', 'd');
  expect(states).toEqual(['rest', 'idle']);
});

test('stopping drops the rest, but completes running work and individual requests', async () => {
  const { soon, rest, stop, begun, states, finish } = turns(1);
  soon('x');
  soon('y');
  rest(['a', 'b']);
  stop();
  await finish('x');
  await finish('y');
  expect(begun).toEqual(['x', 'y']);
  expect(states).toEqual(['soon', 'rest', 'soon', 'idle']);
});

test("ending drops everything that hasn't begun, and an ID can be requested again", async () => {
  const { soon, end, begun, finish } = turns(1);
  soon('x');
  soon('y');
  end();
  await finish('x');
  expect(begun).toEqual(['x']);
  soon('x');
  expect(begun).toEqual(['x', 'x']);
});
