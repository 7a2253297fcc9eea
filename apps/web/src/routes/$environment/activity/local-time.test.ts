import { expect, test } from 'vitest';
import { fromLocalField, toLocalField } from './local-time.ts';

test("a field's text survives the conversion to an instant and back", () => {
  for (const text of ['2026-01-31T09:41', '2026-07-01T00:00', '1999-12-31T23:59']) {
    expect(toLocalField(fromLocalField(text))).toBe(text);
  }
  expect(fromLocalField('')).toBeUndefined();
  expect(fromLocalField('2026-')).toBeUndefined();
  expect(toLocalField(undefined)).toBe('');
  expect(toLocalField('soon')).toBe('');
});
