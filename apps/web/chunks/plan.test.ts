import { expect, test } from 'vitest';
import { planChunks, type Load, type Part } from './plan.ts';

const part = (id: string, bytes: number, imports: readonly string[] = []): Part => ({ id, bytes, imports });
const load = (weight: number, ...parts: readonly string[]): Load => ({ weight, parts: new Set(parts) });
const planned = (parts: readonly Part[], loads: readonly Load[]): readonly string[] =>
  planChunks(parts, loads)
    .map((ids) => ids.toSorted().join('+'))
    .toSorted();

test('code that the same pages load shares a file', () => {
  expect(
    planned(
      [part('a', 90_000), part('b', 100), part('c', 90_000)],
      [load(1, 'a', 'b'), load(1, 'a', 'b', 'c')],
    ),
  ).toEqual(['a+b', 'c']);
});

test('loading a little unused code is cheaper than a request, loading a lot is not', () => {
  const loads = [load(1, 'a'), load(1, 'a', 'b')];
  expect(planned([part('a', 50_000), part('b', 1000)], loads)).toEqual(['a+b']);
  expect(planned([part('a', 50_000), part('b', 5000)], loads)).toEqual(['a', 'b']);
});

test('a page with more weight is spared code that it does not use', () => {
  const parts = [part('a', 50_000), part('b', 2000)];
  expect(planned(parts, [load(2, 'a'), load(1, 'a', 'b')])).toEqual(['a', 'b']);
});

test('files never import each other in a cycle', () => {
  const parts = [part('a', 1, ['b']), part('b', 90_000, ['c']), part('c', 1)];
  const loads = [load(1, 'a', 'b', 'c'), load(1, 'b', 'c'), load(9, 'a', 'c')];
  // Joining a and c would save most, but a imports b, and b imports c.
  expect(planned(parts, loads)).toEqual(['a', 'b', 'c']);
});

test('imports of a file count as unused code too', () => {
  const loads = [load(1, 'a', 'b', 'heavy'), load(1, 'a'), load(9_000, 'heavy')];
  const [a, heavy] = [part('a', 90_000), part('heavy', 90_000)];
  expect(planned([a, part('b', 1), heavy], loads)).toEqual(['a+b', 'heavy']);
  expect(planned([a, part('b', 1, ['heavy']), heavy], loads)).toEqual(['a', 'b', 'heavy']);
});

test('a join that serves many pages is refused if it burdens a few', () => {
  const parts = [part('a', 1), part('heavy', 20_000)];
  const both = Array.from({ length: 99 }, () => load(9, 'a', 'heavy'));
  expect(planned(parts, both)).toEqual(['a+heavy']);
  expect(planned(parts, [...both, load(1, 'a')])).toEqual(['a', 'heavy']);
});
