import { expect, test } from 'vitest';
import { turns, type TurnsOptions } from './turns.ts';

/** Tasks that end on request; `begun` has the names of those that had their turn. */
function works(options: Partial<TurnsOptions> & { readonly atOnce: number }) {
  const inTurn = turns({ ...options, mostOwn: 10, mostWaiting: 20 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    /** @param name starts with its owner's letter */
    ask: (name: string): void => {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      void inTurn(name.slice(0, 1), () => {
        begun.push(name);
        return promise;
      });
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test("limits an owner's concurrent tasks and gives the rest to others", async () => {
  const { ask, end, begun } = works({ atOnce: 3, ownAtOnce: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) ask(name);
  await end('');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  // Other owners come first, although they came later.
  await end('b1');
  expect(begun.slice(3)).toEqual(['c1']);
  await end('a1');
  expect(begun.slice(4)).toEqual(['b2']);
  await end('c1');
  expect(begun.slice(5)).toEqual(['a3']);
  await end('b2');
  // A place is free, but its only waiting owner already has two.
  expect(begun).toHaveLength(6);
  await end('a2');
  expect(begun.slice(6)).toEqual(['a4']);
});

test('gives an owner without a task a further place', async () => {
  const { ask, end, begun } = works({ atOnce: 2, firsts: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) ask(name);
  await end('');
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('a1');
  expect(begun.slice(3)).toEqual(['c1']);
  // Three places of two are still taken, and `a` has one of them.
  await end('b1');
  expect(begun.slice(4)).toEqual(['b2']);
  await end('c1');
  await end('a2');
  expect(begun.slice(5)).toEqual(['a3']);
});

test('also begins a task of the owner that has none left, after another has taken the free place', async () => {
  const { ask, end, begun } = works({ atOnce: 2, firsts: 1 });
  for (const name of ['a1', 'b1', 'b2', 'a2']) ask(name);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'b2', 'a2']);
});

test('gives an owner all places without a limit per owner', async () => {
  const { ask, end, begun } = works({ atOnce: 2 });
  for (const name of ['a1', 'a2', 'a3']) ask(name);
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
});
