import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endings, horizonEnd, horizonMarks, horizonPosition } from './horizon.ts';

test('keeps the order of time on the axis, and everything within it', () => {
  const ms = fc.integer({ min: 0, max: 40 * 86_400_000 });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1 }), (times) => {
      const end = horizonEnd(
        times.map((at) => ({ at })),
        0,
      );
      const positions = times.toSorted((a, b) => a - b).map((time) => horizonPosition(time, end));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      for (const position of positions) expect(position >= 0 && position <= 1).toBe(true);
    }),
  );
});

test('ends at the first mark past the last ending', () => {
  const at = (hours: number) => horizonEnd([{ at: hours * 3_600_000 }], 0);
  expect(at(0.1)).toBe(horizonMarks[1].ms);
  expect(at(8)).toBe(horizonMarks[4].ms);
  expect(at(9)).toBe(horizonMarks[5].ms);
  expect(at(24 * 365)).toBe(24 * 365 * 3_600_000);
});

test('lists the live sessions on targets that end next, and leaves out those that have ended', () => {
  const time = (minutes: number): string => new Date(minutes * 60_000).toISOString();
  const on = (id: string, minutes: number, status = 'active') => ({
    id,
    status,
    user_id: 'u_1',
    user_name: 'ada',
    target_id: 'ttcp_1',
    target_name: '',
    expiration_time: time(minutes),
  });
  const many = Array.from({ length: 9 }, (_, index) => on(`s_${String(index)}`, 20 - index));
  const list = endings(
    'test',
    { environments: [], idle_expires_at: time(15), expires_at: time(480) },
    [],
    [],
    [...many, on('s_over', -1), on('s_ended', 1, 'terminated')],
    [
      { mount: 'secret', path: 'due', kind: 'rotate_by', at: time(-1) },
      { mount: 'secret', path: 'app/db', kind: 'expires', at: time(16.5) },
    ],
    0,
  );
  expect(list.map(({ id }) => id)).toEqual([
    's_8',
    's_7',
    's_6',
    'idle',
    's_5',
    's_4',
    'secret/app/db expires',
    'session',
  ]);
  expect(list[0]).toMatchObject({ label: 'ada on ttcp_1', href: '/test/sessions?session=s_8' });
});
