import { secrets as contract } from '@gatehouse/api-types/console/secrets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '#test/browser.ts';
import { linesOf, secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

const mount = `${secretsApi}/mounts/secret`;
const listing = contract.listFolder.response;
let secrets: SecretsConsole;
let admin: Browser;

beforeAll(async () => {
  secrets = await startSecrets();
  admin = await secrets.signedIn();
  for (const path of [
    'app/db/main',
    'app/db/replica',
    'app/API key',
    'app/deep/er/and/deeper',
    'other/db',
    'top',
  ]) {
    await secrets.direct.write(`secret/data/${encodeURI(path)}`, { data: { password: 'canary-db' } });
  }
});
afterAll(() => secrets[Symbol.asyncDispose]());

const search = async (query: string, page = admin, at = mount) =>
  linesOf(await page.send('GET', `${at}/search?${query}`));
const paths = (lines: Record<string, unknown>[], kind = 'match') =>
  lines
    .filter((line) => line['kind'] === kind)
    .map(({ path }) => String(path))
    .sort();

describe('a search', () => {
  test('finds secrets and folders by path at any depth, and reports how far it searched', async () => {
    const lines = await search('text=db');
    expect(paths(lines)).toEqual(['app/db', 'app/db/main', 'app/db/replica', 'other/db']);
    expect(lines.at(-1)).toEqual({
      kind: 'end',
      folders_read: 7,
      secrets: 6,
      found: 4,
      denied: 0,
      limited: false,
    });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  test('ignores case, and accepts several words, a start folder and a limit', async () => {
    expect(paths(await search('text=API%20app'))).toEqual(['app/API key']);
    expect(paths(await search('text=api+key'))).toEqual(['app/API key']);
    expect(paths(await search('text=db&folder=app'))).toEqual(['app/db', 'app/db/main', 'app/db/replica']);
    expect((await search('text=db&limit=2')).at(-1)).toMatchObject({ found: 2, limited: true });
    expect((await search('text=canary-db')).at(-1)).toMatchObject({ found: 0, secrets: 6 });
    expect((await admin.send('GET', `${mount}/search?text=%20`)).status).toBe(400);
  });

  test('returns results in the order of the tree', async () => {
    await secrets.direct.write('sys/mounts/ordered', { type: 'kv' });
    const at = `${secretsApi}/mounts/ordered`;
    const folders = ['', 'a/', 'a/a/', 'a/z/', 'a-b/', 'b/', 'b/m/', 'b/m/n/', 'c/', 'd/', 'e/', 'f/', 'g/'];
    for (const folder of folders) {
      for (const name of ['B', 'a', 'm', 'z'])
        await secrets.direct.write(`ordered/data/${folder}${name}`, { data: {} });
    }
    /** The order of the tree with all folders open, read three names at a time. */
    const shown = async (folder: string, after = ''): Promise<string[]> => {
      const query = new URLSearchParams({ path: folder, page_size: '3', after });
      const { items, next_after } = listing.parse(
        (await admin.send('GET', `${at}/folder?${String(query)}`)).json,
      );
      const found: string[] = [];
      for (const { path, folder: isFolder } of items) {
        found.push(path, ...(isFolder ? await shown(path) : []));
      }
      return next_after === undefined ? found : [...found, ...(await shown(folder, next_after))];
    };
    const tree = await shown('');
    expect(tree).toHaveLength(folders.length * 5 - 1);
    expect(tree.slice(0, 4)).toEqual(['B', 'a', 'a-b', 'a-b/B']);
    const found = async (query: string) =>
      (await search(query, admin, at)).filter(({ kind }) => kind === 'match').map(({ path }) => path);
    expect(await found('text=a')).toEqual(tree.filter((path) => path.includes('a')));
    expect(await found('text=m&folder=b&limit=4')).toEqual(
      tree.filter((path) => /^b\/.*m/.test(path)).slice(0, 4),
    );
  });

  test("leaves out and reports what can't be listed, and is refused if the start folder can't be", async () => {
    const partly = await secrets.withPolicy(
      'partly',
      [
        'path "secret/metadata" { capabilities = ["list"] }',
        'path "secret/metadata/+" { capabilities = ["list"] }',
        'path "secret/metadata/+/" { capabilities = ["list"] }',
      ].join('\n'),
    );
    const lines = await search('text=d', partly);
    expect(paths(lines)).toEqual(['app/db', 'app/deep', 'other/db']);
    expect(paths(lines, 'denied')).toEqual(['app/db', 'app/deep']);
    expect(lines.at(-1)).toMatchObject({ denied: 2 });
    const nobody = await secrets.withPolicy('nothing', 'path "nothing" { capabilities = ["read"] }');
    expect((await nobody.send('GET', `${mount}/search?text=db`)).json).toMatchObject({ code: 'forbidden' });
  });

  test('ends with the failure if the server goes away, and stops reading when the user leaves', async () => {
    secrets.proxy.fault = { kind: 'hang up' };
    secrets.proxy.drop();
    expect((await admin.send('GET', `${mount}/search?text=db`)).json).toMatchObject({
      code: 'service-unavailable',
    });
    secrets.proxy.fault = { kind: 'none' };
    expect(paths(await search('text=top'))).toEqual(['top']);
  });
});

describe('the recycle bin', () => {
  test('lists what can be undeleted, newest version first', async () => {
    const bin = async (query = '') => linesOf(await admin.send('GET', `${mount}/recycle-bin?${query}`));
    expect(await bin()).toMatchObject([{ kind: 'end', found: 0, secrets: 6 }]);
    await secrets.direct.write('secret/data/app/db/main', { data: { password: 'canary-2' } });
    await secrets.direct.delete('secret/data/app/db/main');
    await secrets.direct.write('secret/data/top', { data: {} });
    await secrets.direct.write('secret/delete/top', { versions: [1] });
    await secrets.direct.write('secret/destroy/other/db', { versions: [1] });
    const found = await bin();
    expect(found).toMatchObject([
      { kind: 'deleted', path: 'app/db/main', revision: '2', newest: true, versions: [{ version: 2 }] },
      { kind: 'end', found: 1 },
    ]);
    expect(paths(await bin('all_versions=true'), 'deleted')).toEqual(['app/db/main', 'top']);
    expect(JSON.stringify(found)).not.toContain('canary');
    await admin.send('POST', secretAt('app/db/main', '/undelete'), { body: { versions: [2] } });
    expect(paths(await bin(), 'deleted')).toEqual([]);
  });

  test("names the secrets that couldn't be read", async () => {
    const lister = await secrets.withPolicy(
      'only-list',
      'path "secret/metadata/*" { capabilities = ["list"] }\npath "secret/metadata" { capabilities = ["list"] }',
    );
    const lines = linesOf(await lister.send('GET', `${mount}/recycle-bin`));
    expect(lines.at(-1)).toMatchObject({ found: 0, denied: 6 });
  });
});

describe('finding a value', () => {
  test('names the secrets and fields that hold it in their newest version, and is recorded once, without it', async () => {
    const find = async (value: string, folder?: string, page = admin) =>
      linesOf(await page.send('POST', `${mount}/find-value`, { body: { value, ...(folder && { folder }) } }));
    const data = { db: { 'pass/word': 'leaked-one', old: 'leaked-one' }, n: 1 };
    await secrets.direct.write('secret/data/found/a', { data });
    await secrets.direct.write('secret/data/found/below/b', {
      data: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'leaked-one'])),
    });
    await secrets.direct.write('secret/data/found/replaced', { data: { x: 'leaked-one' } });
    await secrets.direct.write('secret/data/found/replaced', { data: { x: 'new' } });
    await secrets.direct.write('secret/data/found/deleted', { data: { x: 'leaked-one' } });
    await secrets.direct.delete('secret/data/found/deleted');
    const lines = await find('leaked-one\n', 'found');
    expect(lines).toMatchObject([
      { kind: 'match', path: 'found/a', version: 1, fields: ['/db/pass~1word', '/db/old'], matched: 2 },
      { kind: 'match', path: 'found/below/b', fields: { length: 20 }, matched: 30 },
      { kind: 'end', folders_read: 2, secrets: 4, found: 2, denied: 0, limited: false },
    ]);
    expect(JSON.stringify(lines)).not.toContain('leaked-one');
    expect(paths(await find('leaked-one'))).toEqual(['found/a', 'found/below/b']);
    expect((await find('leaked')).at(-1)).toMatchObject({ found: 0 });
    const activity = await admin.send('GET', '/api/environments/test/activity?resource_id=secret/found');
    expect(activity.json['items']).toMatchObject([
      {
        action: 'secret.find-value',
        resource: { id: 'secret/found', name: '4 secrets' },
        paths: [],
        outcome: 'succeeded',
      },
    ]);
    const lister = await secrets.withPolicy(
      'list-and-read-one',
      [
        'path "secret/metadata/*" { capabilities = ["list"] }',
        'path "secret/data/found/a" { capabilities = ["read"] }',
      ].join('\n'),
    );
    const partly = await find('leaked-one', 'found', lister);
    expect(paths(partly)).toEqual(['found/a']);
    expect(paths(partly, 'denied')).toEqual(['found/below/b', 'found/deleted', 'found/replaced']);
  });

  test('continues after a field with a very long name, which is shortened', async () => {
    const long = 'n'.repeat(1_100_000);
    await secrets.direct.write('secret/data/long/a', { data: { [long]: 'leaked-two' } });
    await secrets.direct.write('secret/data/long/b', { data: { x: 'leaked-two' } });
    const body = { value: 'leaked-two', folder: 'long' };
    const lines = linesOf(await admin.send('POST', `${mount}/find-value`, { body }));
    expect(lines).toMatchObject([
      { path: 'long/a', fields: [`/${'n'.repeat(999)}…`] },
      { path: 'long/b', fields: ['/x'] },
      { kind: 'end', limited: false },
    ]);
  });

  test('counts as a comparison of the account', async () => {
    const guesser = await secrets.signedIn('read-only');
    const find = () => guesser.send('POST', `${mount}/find-value`, { body: { value: 'guess' } });
    const answers = await Promise.all(Array.from({ length: 11 }, find));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });
});
