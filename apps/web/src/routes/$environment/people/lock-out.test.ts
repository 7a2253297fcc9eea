import { expect, test } from 'vitest';
import { sessionsWords } from './lock-out.ts';

test('the report says which sessions on targets a worker has yet to end', () => {
  expect(sessionsWords({ cancelled: 0, cancelling: 0 })).toBe('No open sessions on targets are left.');
  expect(sessionsWords({ cancelled: 2, cancelling: 0 })).toBe('2 open sessions on targets cancelled.');
  expect(sessionsWords({ cancelled: 0, cancelling: 1 })).toBe('1 session on targets is being cancelled.');
  expect(sessionsWords({ cancelled: 2, cancelling: 2 })).toBe('2 sessions on targets are being cancelled.');
});
