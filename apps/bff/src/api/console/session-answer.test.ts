import { expect, test } from 'vitest';
import type { EnvironmentConfig } from '#config/config.ts';
import { environmentsAnswer } from './session-answer.ts';

const at = (host: string) => ({ kind: 'url', url: new URL(`https://${host}`) }) as const;

function environment(
  id: string,
  access: { readonly kind: 'socket'; readonly path: string } | ReturnType<typeof at>,
) {
  return {
    id,
    name: id,
    kind: 'development',
    sharedAccounts: false,
    services: { access: { endpoint: access, signIn: ['password'] } },
  } satisfies EnvironmentConfig;
}

test('tells which environments have the same accounts: those of the built-in access controllers', () => {
  const environments = [
    environment('one', { kind: 'socket', path: '/run/one' }),
    environment('elsewhere', at('a.example')),
    environment('two', { kind: 'socket', path: '/run/two' }),
    // Another environment may have another namespace of the same server.
    environment('more', at('a.example')),
  ];
  expect(environmentsAnswer({ environments }).map(({ accounts }) => accounts)).toEqual([
    ['one', 'two'],
    ['elsewhere'],
    ['one', 'two'],
    ['more'],
  ]);
});
