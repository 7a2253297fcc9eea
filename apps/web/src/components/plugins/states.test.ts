import { expect, test } from 'vitest';
import { stateOf, unreadOf, type ReadStates } from './states.ts';

const states: ReadStates = new Map([
  ['secret/mine', { state: 'mismatch', at: 20 }],
  ['secret/old', { state: 'unknown', at: 5 }],
  ['secret/other', { state: undefined, at: 0 }],
]);
const registered = (id: string) => ({ id, builtin: false, shadowed: false });

test('a registration has the state read for it, and a built-in plugin runs unless shadowed', () => {
  expect(stateOf(registered('secret/mine'), states)).toBe('mismatch');
  expect(stateOf(registered('secret/other'), states)).toBeUndefined();
  expect(stateOf(registered('secret/new'), states)).toBeUndefined();
  const builtin = { id: 'secret/kv', builtin: true, shadowed: false };
  expect(stateOf(builtin, states)).toBe('runs');
  expect(stateOf({ ...builtin, shadowed: true }, states)).toBeNull();
});

test('states older than the list are read again', () => {
  expect(unreadOf(states, 10)).toEqual(['secret/old', 'secret/other']);
  expect(unreadOf(states, 1)).toEqual(['secret/other']);
});
