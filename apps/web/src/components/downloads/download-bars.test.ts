import fc from 'fast-check';
import { expect, test } from 'vitest';
import { downloadBars } from './download-bars.ts';

const today = '2026-11-22';
const ago = (days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);

test('shows days at first and weeks later, with the last bar ending today', () => {
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

test('draws no day and no week of which the downloads are unknown', () => {
  const drawn = (days: number, since: number) =>
    downloadBars([{ date: ago(days), count: 1 }], today, ago(since)).bars.map(({ date }) => date);
  expect(drawn(2, 9)).toHaveLength(10);
  expect(drawn(2, 9)[0]).toBe(ago(9));
  expect(drawn(90, 95)[0]).toBe(ago(90));
  expect(drawn(90, 95)).toHaveLength(13);
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
      const unnamed = daily.map(({ date, count }) => ({ date, count }));
      expect(downloadBars(unnamed, today).bars).toEqual(bars.map((bar) => ({ ...bar, versions: [] })));
      expect(bars.map(({ date }) => date)).toEqual(bars.map(({ date }) => date).toSorted());
    }),
  );
});
