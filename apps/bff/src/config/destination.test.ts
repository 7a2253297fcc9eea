import { expect, test } from 'vitest';
import { destinationOf, nameAtServer, type Config, type ServiceConfig } from './config.ts';

const configWith = (secrets: Partial<ServiceConfig>): Config => ({
  console: { host: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: [] },
  environments: [
    {
      id: 'test',
      name: 'Test',
      kind: 'development',
      sharedAccounts: false,
      services: { secrets: { endpoint: { kind: 'socket', path: '/run/a' }, signIn: ['token'], ...secrets } },
    },
  ],
  keys: undefined,
});
const at = (url: string) => ({ kind: 'url', url: new URL(url) }) as const;
const destination = (secrets: Partial<ServiceConfig>): string | undefined =>
  destinationOf(configWith(secrets), 'test', 'secrets');

test("makes a token's destination of address, path, namespace and authorities", () => {
  const places = [
    { endpoint: at('https://vault.example:8200') },
    { endpoint: at('https://vault.example') },
    { endpoint: at('http://vault.example:8200') },
    { endpoint: at('https://vault.example:8200/prefix') },
    { endpoint: at('https://vault.example:8200'), namespace: 'team' },
    { endpoint: at('https://vault.example:8200'), ca: 'PEM' },
    { endpoint: at('https://vault.example:8200'), namespace: 'team', ca: 'PEM' },
    {},
  ].map(destination);
  expect(new Set(places).size).toBe(places.length);
});

test('is the same for any Unix socket, and for any way to sign in', () => {
  expect(destination({ endpoint: { kind: 'socket', path: '/run/b' } })).toBe(destination({}));
  expect(destination({ signIn: ['password'], passwordMount: 'ldap' })).toBe(destination({}));
});

test('has no destination for an unconfigured service', () => {
  expect(destinationOf(configWith({}), 'test', 'access')).toBeUndefined();
  expect(destinationOf(configWith({}), 'other', 'secrets')).toBeUndefined();
  expect(destinationOf(configWith({}), '', 'audit')).toBeUndefined();
});

test('a record has one name in all environments that use its server, in any namespace', () => {
  const base = configWith({});
  const environment = (id: string, secrets: Partial<ServiceConfig>) => ({
    id,
    name: id,
    kind: 'development' as const,
    sharedAccounts: false,
    services: {
      secrets: { endpoint: at('https://vault.example/'), signIn: ['token'] as const, ...secrets },
    },
  });
  const config = {
    ...base,
    environments: [
      environment('one', {}),
      environment('same', { endpoint: at('https://vault.example') }),
      environment('team', { namespace: 'team' }),
      environment('other', { endpoint: at('https://other.example') }),
    ],
  };
  const nameIn = (id: string, record: string) => nameAtServer(config, id, 'secrets', record);
  expect(nameIn('same', 'team/kv/a')).toEqual(nameIn('one', 'team/kv/a'));
  expect(nameIn('team', 'kv/a')).toEqual(nameIn('one', 'team/kv/a'));
  expect(nameIn('other', 'kv/a')).not.toEqual(nameIn('one', 'kv/a'));
  // Another console with the same database may have other environments.
  const elsewhere = { ...config, environments: config.environments.toReversed() };
  expect(nameAtServer(elsewhere, 'same', 'secrets', 'kv/a')).toEqual(nameIn('same', 'kv/a'));
  expect(nameAtServer(config, 'one', 'audit', 'a')).toEqual(['one', 'a']);
});
