import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { testPassword } from '@gatehouse/box-registry/testing/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser } from '#test/browser.ts';

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

test('who gets a name that was another person’s inherits nothing of theirs', async () => {
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
  // She sees that she signed in, and nothing else.
  expect(await entriesOf(other)).toHaveLength(1);
});

describe('what an earlier release kept under a name', () => {
  /** As earlier releases did: by the name, `minutes` after the account was made. */
  const keptByName = async (minutes: number): Promise<void> => {
    const account = await newAlice();
    const page = await boxes.signedIn('alice');
    await arrange(page, 'hers');
    await page.send('POST', runs, { body: { box: null, version: null, providers: [] } });
    const database = new DatabaseSync(join(boxes.console.dataDir, 'console.db'));
    const [byName, byId] = ['test/boxes/alice', `test/boxes/${account.id}`];
    const time = account.createdTime + minutes * 60_000;
    database.prepare('update preference set person_id = ? where person_id = ?').run(byName, byId);
    database.prepare('update publish_run set person_id = ?, created_at = ?').run(byName, time);
    database.prepare('update audit set person_id = ?, time = ?').run(byName, time);
    database.close();
  };

  test('is given to the account that was there all the time', async () => {
    await keptByName(1);
    const page = await boxes.signedIn('alice');
    expect(await preferencesOf(page)).toEqual({ columns: 'hers' });
    expect(await runsOf(page)).toHaveLength(1);
    // Two sign-ins and the run.
    expect(await entriesOf(page)).toHaveLength(3);
  });

  test('is given to nobody where an earlier account may have had the name', async () => {
    await keptByName(-1);
    const page = await boxes.signedIn('alice');
    expect(await preferencesOf(page)).toEqual({});
    expect(await runsOf(page)).toEqual([]);
    expect(await entriesOf(page)).toHaveLength(1);
  });
});
