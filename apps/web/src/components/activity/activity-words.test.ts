import { activityActions } from '@gatehouse/api-types/console/addresses/actions';
import { expect, test } from 'vitest';
import { actionWords, outcomeOf } from './activity-words.ts';

test('every action of the contract has readable words', () => {
  for (const action of activityActions) expect(actionWords(action)).toMatch(/^[A-Z][a-z ]+: [a-z ]+$/);
  expect(actionWords('target.change-host-sources')).toBe('Target: change host sources');
});

test('a refused action shows the reason', () => {
  const words = (problem: string | null) => outcomeOf({ outcome: 'refused', problem }).word;
  expect([words('conflict'), words('forbidden'), words('internal'), words(null)]).toEqual([
    'Conflict',
    'Not allowed',
    'Refused',
    'Refused',
  ]);
  expect(outcomeOf({ outcome: 'failed', problem: 'forbidden' }).word).toBe('Failed');
});
