import { expect, test } from 'vitest';
import type { EnvironmentConfig } from '#config/config.ts';
import { environmentsAnswer } from './session-answer.ts';

const at = (host: string) => ({ kind: 'url', url: new URL(`https://${host}`) }) as const;

type Endpoint = { readonly kind: 'socket'; readonly path: string } | ReturnType<typeof at>;

function environment(
  id: string,
  access: Endpoint | undefined,
  boxes?: Endpoint,
  sharedAccounts = false,
): EnvironmentConfig {
  const service = (endpoint: Endpoint) => ({ endpoint, signIn: ['password'] as const });
  return {
    id,
    name: id,
    kind: 'development',
    sharedAccounts,
    services: {
      ...(access !== undefined && { access: service(access) }),
      ...(boxes !== undefined && { boxes: service(boxes) }),
    },
  };
}

test('lists the environments with the same accounts: those of one access controller, or of the built-in ones', () => {
  const environments = [
    environment('one', { kind: 'socket', path: '/run/one' }),
    environment('elsewhere', at('a.example')),
    environment('two', { kind: 'socket', path: '/run/two' }),
    environment('more', at('a.example')),
    environment('other', at('b.example')),
    // Embedded, but without an access controller.
    environment('boxes', undefined, { kind: 'socket', path: '/run/boxes' }, true),
  ];
  expect(environmentsAnswer({ environments }).map(({ accounts }) => accounts)).toEqual([
    ['one', 'two'],
    ['elsewhere', 'more'],
    ['one', 'two'],
    ['elsewhere', 'more'],
    ['other'],
    ['one', 'two'],
  ]);
});

test('reports which services of an environment have the same accounts: the embedded ones, and those configured so', () => {
  const socket = { kind: 'socket', path: '/run/one' } as const;
  const stores = environmentsAnswer({
    environments: [
      environment('apart', at('a.example'), at('b.example')),
      environment('embedded', socket, socket),
      environment('mixed', at('c.example'), socket),
      environment('shared', at('d.example'), at('e.example'), true),
    ],
  }).map(({ services }) => services.map(({ account_store: store }) => store));
  const [apart = [], embedded = [], mixed = [], shared = []] = stores;
  expect(new Set([...apart, ...embedded, ...mixed, ...shared]).size).toBe(5);
  expect(embedded[0]).toBe(embedded[1]);
  expect(mixed[1]).toBe(embedded[0]);
  expect(shared[0]).toBe(shared[1]);
});
