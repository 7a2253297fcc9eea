import fc from 'fast-check';
import { expect, test } from 'vitest';
import { staleFirst, type ModuleConsumer } from './consumer-order.ts';
import { downloadBars } from './download-bars.ts';

const today = '2026-11-22';
const ago = (days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);

test('shows days for new modules and weeks later, with the last bar ending today', () => {
  const days = downloadBars([{ date: ago(2), version: '1.0.0', count: 3 }], today);
  expect(days.unit).toBe('day');
  expect(days.bars).toHaveLength(30);
  expect(days.bars.at(-1)?.date).toBe(today);
  expect(days.bars.at(-3)).toEqual({ date: ago(2), count: 3, versions: [{ version: '1.0.0', count: 3 }] });
  const weeks = downloadBars(
    [
      { date: ago(100), version: '1.0.0', count: 1 },
      { date: ago(6), version: '1.0.0', count: 1 },
      { date: today, version: '2.0.0', count: 4 },
      { date: ago(-1), version: '2.0.0', count: 99 },
    ],
    today,
  );
  expect(weeks.unit).toBe('week');
  expect(weeks.bars.at(-1)).toEqual({
    date: ago(6),
    count: 5,
    versions: [
      { version: '2.0.0', count: 4 },
      { version: '1.0.0', count: 1 },
    ],
  });
  expect(weeks.bars[0]?.count).toBe(1);
});

test('counts each download in the drawn period in one bar', () => {
  const download = fc.record({
    date: fc.integer({ min: 0, max: 365 }).map(ago),
    version: fc.constantFrom('1.0.0', '2.0.0'),
    count: fc.integer({ min: 0, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(download), (daily) => {
      const { bars } = downloadBars(daily, today);
      const sum = (list: readonly { readonly count: number }[]) =>
        list.reduce((all, { count }) => all + count, 0);
      expect(sum(bars)).toBe(sum(daily));
      for (const { count, versions } of bars) expect(sum(versions)).toBe(count);
      expect(bars.map(({ date }) => date)).toEqual(bars.map(({ date }) => date).toSorted());
    }),
  );
});

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
