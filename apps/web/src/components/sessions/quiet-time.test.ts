import { expect, test } from 'vitest';
import { openWords, quietTime } from './quiet-time.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const session = (status: string, expiration_time: string) => ({ status, expiration_time });

test("quiet time begins after the last open session, and pending ones aren't live", () => {
  const sessions = [
    session('active', '2026-01-01T14:32:00Z'),
    session('terminated', '2026-01-01T20:00:00Z'),
    session('pending', '2026-01-01T13:00:00Z'),
    session('canceling', '2026-01-01T12:30:00Z'),
  ];
  const { at, live, pending, ends } = quietTime(sessions, now);
  expect(at).toBe(Date.parse('2026-01-01T14:32:00Z'));
  expect([live, pending]).toEqual([2, 1]);
  expect(openWords({ live, pending })).toEqual([
    { words: '2 are live', status: 'active' },
    { words: '1 is pending', status: 'pending' },
  ]);
  expect(openWords({ live: 1, pending: 0 })).toEqual([{ words: '1 is live', status: 'active' }]);
  expect(ends).toEqual([...ends].sort((a, b) => a - b));
});

test('without open sessions it has begun; an overdue session ends now, not in the past', () => {
  expect(quietTime([session('terminated', '2026-01-01T20:00:00Z')], now).at).toBeUndefined();
  expect(quietTime([session('active', '2026-01-01T11:00:00Z')], now).at).toBe(now);
  expect(quietTime([session('active', '')], now)).toMatchObject({ at: undefined, live: 1 });
});
