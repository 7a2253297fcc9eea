import { expect, test } from 'vitest';
import { readSecretDate, secretDatesIn } from './secret-dates.ts';

test('reads dates and times, and nothing else', () => {
  expect(readSecretDate('2026-12-31')).toBe(Date.UTC(2026, 11, 31));
  expect(readSecretDate('2026-12-31T09:30+02:00')).toBe(Date.UTC(2026, 11, 31, 7, 30));
  for (const text of ['', 'soon', '2026-02-31', '2026-13-01', '2026-12-31T09:30', '31.12.2026', '2026']) {
    expect(readSecretDate(text), text).toBeUndefined();
  }
});

test('finds the dates in custom metadata', () => {
  expect(secretDatesIn({ owner: 'ana', rotate_by: '2026-12-31', expires: 'never' })).toEqual([
    { kind: 'rotate_by', at: Date.UTC(2026, 11, 31) },
  ]);
});
