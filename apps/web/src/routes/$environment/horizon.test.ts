import fc from 'fast-check';
import { expect, test } from 'vitest';
import { horizonEnd, horizonMarks, horizonPosition } from './horizon.ts';

test('the axis keeps the order of time and holds everything', () => {
  const ms = fc.integer({ min: 0, max: 40 * 86_400_000 });
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1 }), (times) => {
      const end = horizonEnd(
        times.map((at, index) => ({ id: String(index), label: '', at, kind: 'token' })),
        0,
      );
      const positions = times.toSorted((a, b) => a - b).map((time) => horizonPosition(time, end));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      for (const position of positions) expect(position >= 0 && position <= 1).toBe(true);
    }),
  );
});

test('ends at the first mark past the last ending', () => {
  const at = (hours: number) => horizonEnd([{ id: '', label: '', at: hours * 3_600_000, kind: 'token' }], 0);
  expect(at(0.1)).toBe(horizonMarks[1].ms);
  expect(at(8)).toBe(horizonMarks[4].ms);
  expect(at(9)).toBe(horizonMarks[5].ms);
  expect(at(24 * 365)).toBe(24 * 365 * 3_600_000);
});
