import { expect, test } from 'vitest';
import { engineEffects } from './engine-effects.ts';

const fields = (max_versions: number, delete_version_after: string, cas_required = false) => ({
  max_versions,
  delete_version_after,
  cas_required,
});

test("says what a change does to an engine's secrets", () => {
  expect(engineEffects(fields(0, '0s'), fields(0, '0s'))).toEqual([]);
  // 0 means ten, so this changes nothing.
  expect(engineEffects(fields(0, '0s'), fields(10, '0s'))).toEqual([]);
  expect(engineEffects(fields(20, '0s'), fields(5, '0s'))[0]).toContain('keep 5 versions instead of 20');
  expect(engineEffects(fields(5, '0s'), fields(20, '0s'))[0]).toContain('keep up to 20 versions');
  expect(engineEffects(fields(0, '0s'), fields(0, '36h'))[0]).toContain('deleted 1 day 12 hours after');
  expect(engineEffects(fields(0, '36h'), fields(0, '0'))[0]).toContain('no longer deleted automatically');
  expect(engineEffects(fields(0, '0s'), fields(0, '0s', true))[0]).toContain('are refused');
  expect(engineEffects(fields(0, '0s', true), fields(0, '0s'))[0]).toContain('overwrite changes by others');
  // An incomplete duration has no effect yet.
  expect(engineEffects(fields(0, '0s'), fields(0, '3'))).toHaveLength(1);
  expect(engineEffects(fields(0, '0s'), fields(0, '3x'))).toEqual([]);
});
