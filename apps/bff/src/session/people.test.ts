import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';
import { personIdOf } from './people.ts';

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
