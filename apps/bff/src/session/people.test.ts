import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EnvironmentConfig, ServiceConfig, ServiceEndpoint } from '#config/config.ts';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import {
  accountStore,
  countedAccount,
  countedIds,
  personIdOf,
  placesOfAccount,
  type SignInPlace,
} from './people.ts';

let boxes: BoxesConsole;
beforeEach(async () => {
  boxes = await startBoxes();
});
afterEach(() => boxes[Symbol.asyncDispose]());

const newAlice = () =>
  boxes.server.accounts.create({
    loginName: 'alice',
    password: testPassword,
    roles: { boxes: 'operator' },
  });
const preferencesOf = async (page: Browser) =>
  (await page.send('GET', '/api/preferences')).json['preferences'];
const arrange = (page: Browser, value: string) =>
  page.send('PUT', '/api/preferences/columns', { body: { value } });
const runs = '/api/environments/test/publish-runs';
const runsOf = async (page: Browser) => (await page.send('GET', runs)).json['runs'];
const entriesOf = async (page: Browser) =>
  (await page.send('GET', '/api/environments/test/activity')).json['items'];

test("gives a new owner of a name nothing of the previous owner's", async () => {
  const before = await newAlice();
  const alice = await boxes.signedIn('alice');
  await arrange(alice, 'hers');
  await alice.send('POST', runs, { body: { box: null, version: null, providers: [] } });
  expect(await runsOf(alice)).toHaveLength(1);
  await boxes.server.accounts.remove(before.id);
  boxes.console.clock.advance(1000);
  await newAlice();
  const other = await boxes.signedIn('alice');
  expect(await preferencesOf(other)).toEqual({});
  expect(await runsOf(other)).toEqual([]);
  expect((await other.send('GET', '/api/sessions')).json['sessions']).toHaveLength(1);
  // She sees only her own sign-in.
  expect(await entriesOf(other)).toHaveLength(1);
});

const at = (name: string, path = '') => ({ kind: 'url', url: new URL(`https://${name}${path}`) }) as const;

test('counts an account once at all services that share accounts, and no other with the same ID', () => {
  const environment = (id: string, sharedAccounts: boolean, endpoint: ServiceEndpoint) => {
    const service = { endpoint, signIn: ['password'] } as const;
    return {
      id,
      name: id,
      kind: 'development',
      sharedAccounts,
      services: { access: service, secrets: service },
    } as const;
  };
  const embedded = { kind: 'socket', path: '/nowhere' } as const;
  const environments = [
    environment('one', false, embedded),
    environment('two', false, embedded),
    environment('shared', true, at('one')),
    environment('apart', false, at('two')),
  ];
  const keyOf = (at: string, id = 'u_1') => countedAccount(environments, `${at}/${id}`);
  expect(keyOf('two/secrets')).toBe(keyOf('one/access'));
  expect(keyOf('two/secrets', 'u_2')).not.toBe(keyOf('one/access'));
  expect(keyOf('two/secrets', 'u_1#token')).toBe(keyOf('one/access'));
  expect(keyOf('two/access', 'u_1#2')).not.toBe(keyOf('one/access'));
  expect(keyOf('shared/secrets')).toBe(keyOf('shared/access'));
  expect(
    new Set(['one/access', 'shared/access', 'apart/access', 'apart/secrets'].map((at) => keyOf(at))).size,
  ).toBe(4);
  expect(countedIds(environments, 'one/secrets/u_1').toSorted()).toEqual([
    'one/access/u_1',
    'one/secrets/u_1',
    'two/access/u_1',
    'two/secrets/u_1',
  ]);
  expect(countedIds(environments, 'apart/access/u_1')).toEqual(['apart/access/u_1']);
  expect(countedIds(environments, 'elsewhere/access/u_1')).toEqual(['elsewhere/access/u_1']);
});

test('knows an account in all environments that name its server', () => {
  const environment = (
    id: string,
    services: { readonly [Name in SignInPlace['service']]?: Partial<ServiceConfig> },
    sharedAccounts = false,
  ): EnvironmentConfig => ({
    id,
    name: id,
    kind: 'development',
    sharedAccounts,
    services: Object.fromEntries(
      Object.entries(services).map(([name, more]) => [
        name,
        { endpoint: at(`${name}.example`), signIn: ['password'], ...more },
      ]),
    ),
  });
  const own = { endpoint: at('own.example') };
  const environments = [
    environment('one', { access: {}, boxes: {} }),
    environment('two', { access: { endpoint: at('access.example', '/') }, secrets: {} }),
    environment('way', {
      access: { authMethodId: 'ampw_2' },
      modules: { endpoint: { kind: 'socket', path: '/m' } },
    }),
    environment('part', { access: own, boxes: {}, secrets: own }),
    environment('pair', { access: own, modules: own }, true),
    environment('embedded', { access: { endpoint: { kind: 'socket', path: '/a' } } }),
  ];
  const placesOf = (id: string): string[] =>
    placesOfAccount(environments, { environment: id, service: 'access' })
      .filter(
        (one) => environments.find((e) => e.id === one.environment)?.services[one.service] !== undefined,
      )
      .map((one) => `${one.environment}/${one.service}`)
      .toSorted();
  const same = ['one/access', 'one/boxes', 'part/boxes', 'two/access', 'two/secrets', 'way/access'];
  for (const id of ['one', 'two', 'way']) expect(placesOf(id)).toEqual(same);
  expect(placesOf('embedded')).toEqual(['embedded/access', 'way/modules']);
  const storesOf = (...places: string[]): number =>
    new Set(
      places.map((one) => {
        const [id = '', service = ''] = one.split('/');
        return accountStore(environments, { environment: id, service });
      }),
    ).size;
  expect(storesOf('one/access', 'two/access')).toBe(1);
  expect(storesOf('one/boxes', 'part/boxes')).toBe(1);
  // The environment in which they are shared says the same of its servers elsewhere.
  expect(storesOf('part/access', 'pair/access', 'pair/modules')).toBe(1);
  expect(
    storesOf('one/access', 'one/boxes', 'two/secrets', 'way/access', 'part/access', 'part/secrets'),
  ).toBe(6);
});

test('distinguishes users by name if their registry sends empty IDs', () => {
  const place = { environment: 'test', service: 'modules' } as const;
  const [alice, ben] = ['alice', 'ben'].map((name) =>
    personIdOf(place, {
      token: 't',
      tokenId: 'i',
      accountId: name,
      accountName: name,
      loginName: name,
      expiresAt: null,
      ownerId: '',
    }),
  );
  expect([alice, ben]).toEqual(['test/modules/alice', 'test/modules/ben']);
});
