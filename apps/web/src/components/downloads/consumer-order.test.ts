import { expect, test } from 'vitest';
import { staleFirst, type ModuleConsumer } from './consumer-order.ts';

test('lists each token with its last download, furthest behind first', () => {
  const of = (token: string, version: string, behind: number, time: string): ModuleConsumer => ({
    token_id: `t-${token}`,
    token,
    owner: '',
    version,
    downloads: 2,
    last_fetched_time: time,
    behind,
  });
  const uses = staleFirst([
    of('a', '1.0.0', 3, '2026-01-01'),
    of('a', '4.0.0', 0, '2026-06-01'),
    of('a', '2.0.0', 2, '2026-03-01'),
    of('b', '2.0.0', 2, '2026-02-01'),
    of('c', '2.0.0', 2, '2026-05-01'),
    of('d', '4.0.0', 0, '2026-06-01'),
  ]);
  expect(uses.map(({ token, version, downloads, earlier }) => [token, version, downloads, earlier])).toEqual([
    ['c', '2.0.0', 2, []],
    ['b', '2.0.0', 2, []],
    ['a', '4.0.0', 6, ['2.0.0', '1.0.0']],
    ['d', '4.0.0', 2, []],
  ]);
});
