import { expect, test } from 'vitest';
import { activitySearch, filtersOf } from './activity-search.ts';

test("reads the valid parameters of an address, and converts them to the contract's names", () => {
  const search = activitySearch.parse({
    q: ' olga  target ',
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
    q: ' olga  target ',
    person: 'ana',
    service: 'console',
    from: '2026-01-01T10:00',
    resource: 'ttcp_1',
    problem: 'conflict',
    request: 'r1',
    entry: '12',
  });
  expect(filtersOf(search)).toEqual({
    q: ' olga  target ',
    person: 'ana',
    service: 'console',
    from: '2026-01-01T10:00',
    resource_id: 'ttcp_1',
    problem: 'conflict',
    request_id: 'r1',
  });
});
