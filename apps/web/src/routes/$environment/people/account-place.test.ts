import { expect, test } from 'vitest';
import { accountPlacesOf } from './AccountPlace.tsx';

test('environments without an access controller have no accounts of people', () => {
  const environment = (id: string, service: 'access' | 'boxes', accounts: string[]) => ({
    id,
    name: id,
    kind: 'development' as const,
    services: [{ service, methods: [], account_store: '' }],
    accounts,
  });
  const one = environment('one', 'access', ['one', 'two']);
  const two = environment('two', 'access', ['one', 'two']);
  const boxes = environment('boxes', 'boxes', []);
  const apart = environment('apart', 'access', ['apart']);
  expect(accountPlacesOf(one, [one, two, boxes])).toEqual({
    names: 'one and two',
    areAll: true,
    isOne: false,
  });
  expect(accountPlacesOf(one, [one, two, boxes, apart]).areAll).toBe(false);
  expect(accountPlacesOf(apart, [apart, boxes])).toEqual({ names: 'apart', areAll: true, isOne: true });
});
