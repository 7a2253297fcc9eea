import type { Connection, ConnectionState } from '@gatehouse/api-types/console/session';
import { expect, test } from 'vitest';
import { progressOf, stepsOf } from './first-steps.ts';

const names = ['access', 'secrets', 'boxes', 'modules'] as const;
const environment = {
  id: 'local',
  name: 'Local',
  kind: 'development' as const,
  services: names.map((service) => ({ service, methods: [], account_store: '' })),
  accounts: ['local'],
};

/** The steps, with the services' states in the order of their names. */
function steps(states: readonly ConnectionState[], carriedOut?: readonly string[]) {
  const connections = states.map(
    (state, index) => ({ environment: 'local', service: names[index], state }) as Connection,
  );
  return stepsOf(environment, connections, carriedOut);
}
const statesOf = (...of: Parameters<typeof steps>) => steps(...of).map(({ state }) => state);

const connected = ['connected', 'connected', 'connected', 'connected'] as const;

test('a step is done once the user has carried it out, in one of its ways', () => {
  const found = steps(connected, ['secret.import', 'person.create']);
  expect(found.map(({ state }) => state)).toEqual(['done', 'open', 'done', 'done', 'open', 'open']);
  expect(progressOf(found)).toEqual({ done: 3, all: 6 });
});

test('what is not known yet is neither done nor open, and nothing is counted', () => {
  const found = steps(connected);
  expect(found.map(({ state }) => state)).toEqual(['done', ...Array.from({ length: 5 }, () => 'unknown')]);
  expect(progressOf(found)).toBeUndefined();
  expect(progressOf(steps([], []))).toBeUndefined();
});

test('steps at a service without access are not counted, whatever was done there before', () => {
  const found = steps(['connected', 'connected', 'no-access', 'no-access'], ['publish-run.release']);
  expect(found.map(({ state }) => state)).toEqual(['done', 'open', 'open', 'open', 'no-access', 'no-access']);
  expect(progressOf(found)).toEqual({ done: 1, all: 4 });
});

test('connecting counts what can be connected', () => {
  const connecting = (...states: readonly ConnectionState[]) => statesOf(states, [])[0];
  expect(connecting('connected', 'not-connected')).toBe('open');
  expect(connecting('connected', 'expired', 'unreachable')).toBe('open');
  expect(connecting('connected', 'standby', 'no-access')).toBe('done');
  expect(connecting('connected', 'sealed')).toBe('unknown');
  expect(connecting('connected', 'unreachable')).toBe('unknown');
});
