import { expect, test } from 'vitest';
import { toldDecisions } from '#lib/told-decisions.ts';
import { recreateRecord } from './recreate-record.ts';

test('while it is made anew the audit trail is told so, and no longer', async () => {
  const made = await recreateRecord(() => Promise.resolve(toldDecisions()));
  expect(made).toBe('[{"path":"","choice":"recreate"}]');
  expect(toldDecisions()).toBeUndefined();
  await expect(recreateRecord(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(toldDecisions()).toBeUndefined();
});
