import { expect, test } from 'vitest';
import { screenGroupsOf, serviceOfScreen } from './screens.ts';

const offered = (...names: readonly ('access' | 'secrets' | 'boxes' | 'modules')[]) =>
  screenGroupsOf({ services: names.map((service) => ({ service, methods: [], account_store: '' })) });

test('a screen belongs to a service or to the console', () => {
  expect(['cloud', 'host-sources', 'boxes', 'activity', '', 'nowhere'].map(serviceOfScreen)).toEqual([
    'secrets',
    'access',
    'boxes',
    undefined,
    undefined,
    undefined,
  ]);
});

test('no two screens have the same keys', () => {
  const screens = offered('access', 'secrets', 'boxes', 'modules').flatMap((group) => group.screens);
  const taken = Map.groupBy(screens, ({ keys }) => keys);
  expect(
    [...taken.values()].filter((same) => same.length > 1).map((same) => same.map(({ label }) => label)),
  ).toEqual([]);
});

test('screens of missing services are not offered', () => {
  expect(offered('secrets').map(({ service }) => service)).toEqual([undefined, 'secrets', undefined]);
  expect(offered('access', 'secrets', 'boxes', 'modules')).toHaveLength(6);
  const labels = offered().flatMap(({ screens }) => screens.map(({ label }) => label));
  expect(labels).toEqual(['Overview', 'Activity', 'Connections']);
});
