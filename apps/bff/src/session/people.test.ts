import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServiceEndpoint } from '#config/config.ts';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { countedAccount, personIdOf } from './people.ts';

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

test('counts an account once at all services that share accounts, and no other with the same ID', () => {
  const url = { kind: 'url', url: new URL('http://127.0.0.1') } as const;
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
    environment('shared', true, url),
    environment('apart', false, url),
  ];
  const keyOf = (at: string, id = 'u_1') => countedAccount(environments, `${at}/${id}`);
  expect(keyOf('two/secrets')).toBe(keyOf('one/access'));
  expect(keyOf('two/secrets', 'u_2')).not.toBe(keyOf('one/access'));
  expect(keyOf('shared/secrets')).toBe(keyOf('shared/access'));
  expect(
    new Set(['one/access', 'shared/access', 'apart/access', 'apart/secrets'].map((at) => keyOf(at))).size,
  ).toBe(4);
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
