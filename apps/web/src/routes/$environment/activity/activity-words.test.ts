import { activityActions } from '@gatehouse/api-types/console/addresses/actions';
import { expect, test } from 'vitest';
import { filtersOf, activitySearch } from './activity-search.ts';
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

test("reads the valid parameters of an address, and converts them to the contract's names", () => {
  const search = activitySearch.parse({
    person: 'ana',
    service: 'console',
    outcome: 'perhaps',
    from: '2026-01-01T10:00',
    to: 'soon',
    resource: 'ttcp_1',
    problem: 'conflict',
    request: 'r1',
    entry: 12,
    other: 'x',
  });
  expect(search).toEqual({
    person: 'ana',
    service: 'console',
    from: '2026-01-01T10:00',
    resource: 'ttcp_1',
    problem: 'conflict',
    request: 'r1',
    entry: '12',
  });
  expect(filtersOf(search)).toEqual({
    person: 'ana',
    service: 'console',
    from: '2026-01-01T10:00',
    resource_id: 'ttcp_1',
    problem: 'conflict',
    request_id: 'r1',
  });
});
