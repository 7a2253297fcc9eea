import type { ServiceName } from '@gatehouse/api-types/console/service';
import { expect, test } from 'vitest';
import { ApiError, type ApiErrorCode } from '#lib/api-error.ts';
import { connectGroups, groupsOf } from './connecting.ts';

const all = ['access', 'secrets', 'boxes', 'modules'] as const;
const stores = { access: '', secrets: '', boxes: 'local/boxes', modules: '' };
const services = all.map((service) => ({ service, methods: [], account_store: stores[service] }));
const groups = groupsOf({ services }, all);

/** Connects to all services, whose refusals are given. @param along what is connected along with a service */
async function run(
  refused: Partial<Record<ServiceName, ApiErrorCode>>,
  { along = [], endAt }: { along?: readonly ServiceName[]; endAt?: ServiceName } = {},
) {
  const asked: ServiceName[] = [];
  const connected = new Set<ServiceName>();
  const end = new AbortController();
  const refusals = await connectGroups(groups, {
    connect: async (service) => {
      asked.push(service);
      if (service === endAt) end.abort();
      const code = refused[service];
      if (code !== undefined) return Promise.reject(new ApiError(code));
      for (const one of [service, ...along]) connected.add(one);
      return undefined;
    },
    isSettled: (service) => connected.has(service),
    signal: end.signal,
  });
  return { asked, refused: [...refusals.keys()] };
}

test('services with the same accounts are in a group, if they are to be connected', () => {
  expect(groups).toEqual([['access', 'secrets', 'modules'], ['boxes']]);
  expect(groupsOf({ services }, ['boxes', 'modules'])).toEqual([['boxes'], ['modules']]);
});

test('a refused password is sent once per account', async () => {
  for (const code of ['sign-in-failed', 'rate-limited'] as const)
    expect(await run({ access: code, boxes: code })).toEqual({
      asked: ['access', 'boxes'],
      refused: ['access', 'boxes'],
    });
});

test('a service without access, or that is down, leaves the others of its account to be connected', async () => {
  expect(await run({ access: 'no-access', secrets: 'service-unavailable' })).toEqual({
    asked: ['access', 'secrets', 'modules', 'boxes'],
    refused: ['access', 'secrets'],
  });
});

test('what was connected along with an earlier service is not connected again', async () => {
  expect((await run({}, { along: ['secrets', 'modules'] })).asked).toEqual(['access', 'boxes']);
});

test('nothing more is connected after the end', async () => {
  expect((await run({}, { endAt: 'secrets' })).asked).toEqual(['access', 'secrets']);
});
