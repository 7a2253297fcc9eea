/** When the BFF asks for the password, by the ladder of guards, over HTTP. */
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { mayAskForPassword } from '@gatehouse/api-types/console/harm';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '#api/operations.ts';
import type { Browser } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import { linesOf, secretAt, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

let live: SecretsConsole;
let lab: SecretsConsole;
let page: Browser;
let count = 0;
let path = '';

beforeAll(async () => {
  [live, lab] = await Promise.all([startSecrets({ kind: 'production' }), startSecrets()]);
});
afterAll(() => Promise.all([live[Symbol.asyncDispose](), lab[Symbol.asyncDispose]()]));
// Nobody has entered a password again.
beforeEach(async () => {
  path = `harm/${++count}`;
  page = await live.signedIn();
});

async function made(versions: number): Promise<string> {
  for (let version = 1; version <= versions; version += 1)
    await live.direct.write(`secret/data/${path}`, { data: { version } });
  return path;
}
const move = (more: object = {}) =>
  page.send('POST', `${secretsApi}/transfer`, {
    body: {
      kind: 'secret',
      from: { mount: 'secret', path },
      to: { mount: 'secret', path: `${path}-renamed` },
      mode: 'move',
      versions: 'all',
      ...more,
    },
  });
const asked = { code: 'confirmation-required', status: 403 };

describe('in production', () => {
  test('asks for exports, says why, and accepts the password for five minutes', async () => {
    await made(1);
    const take = () =>
      page.send('POST', `${secretsApi}/mounts/secret/export`, { body: { folders: ['harm'] } });
    expect((await take()).json).toMatchObject({
      ...asked,
      detail:
        'The password of admin in Test is required because secrets leave the console in clear text, and Test is a production environment.',
      environment: 'test',
    });
    await confirmAs(page, testPassword);
    expect(linesOf(await take()).at(-1)).toMatchObject({ kind: 'end' });
    live.console.clock.advance(5 * 60_000 - 1);
    expect((await take()).status).toBe(200);
    live.console.clock.advance(1);
    expect((await take()).json).toMatchObject(asked);
  });

  test("doesn't ask for renaming a secret, unless values stay behind", async () => {
    await made(2);
    expect(linesOf(await move()).at(-1)).toMatchObject({ outcome: 'done', removed: 1 });
    path = `${path}-renamed`;
    expect((await move({ versions: 'latest' })).json).toMatchObject(asked);
    expect(linesOf(await move({ versions: 'latest', mode: 'copy' })).at(-1)).toMatchObject({
      outcome: 'done',
    });
    await live.direct.write(`secret/delete/${path}`, { versions: [1] });
    expect((await move({ to: { mount: 'secret', path: `${path}-2` } })).json).toMatchObject({
      ...asked,
      detail: expect.stringContaining('nobody can restore what this deletes'),
    });
  });

  test('asks for moving a folder, and not for copying one', async () => {
    await made(1);
    const folder = { kind: 'folder', from: { mount: 'secret', path: 'harm' } };
    expect((await move({ ...folder, to: { mount: 'secret', path: 'moved' } })).json).toMatchObject(asked);
    const copied = await move({ ...folder, to: { mount: 'secret', path: 'copied' }, mode: 'copy' });
    expect(copied.status).toBe(200);
  });

  test('asks for destroying versions, and not for deleting them', async () => {
    await made(2);
    expect((await page.send('DELETE', secretAt(path), { revision: '2' })).status).toBe(204);
    const versions = (action: string) =>
      page.send('POST', secretAt(path, `/${action}`), { body: { versions: [1] } });
    expect((await versions('delete-versions')).status).toBe(204);
    expect((await versions('destroy')).json).toMatchObject(asked);
    const forever = await page.send('POST', secretAt(path, '/delete-forever'), { revision: '2' });
    expect(forever.json).toMatchObject(asked);
  });

  test('asks for keeping fewer versions of a secret, even if it has none yet', async () => {
    const metadata = `${secretsApi}/mounts/secret/metadata/${encodeURIComponent(path)}`;
    const fields = { cas_required: false, delete_version_after: '0s', custom_metadata: {} };
    const put = (max_versions: number, revision: string) =>
      page.send('PUT', metadata, { revision, body: { ...fields, max_versions } });
    const patch = async (body: object) => {
      const revision = String((await page.send('GET', metadata)).json['revision']);
      return page.send('PATCH', metadata, { revision, body });
    };
    expect((await put(9, 'none')).json).toMatchObject(asked);
    const { json } = await put(12, 'none');
    expect(json).toMatchObject({ max_versions: 12, current_version: 0 });
    expect((await put(11, String(json['revision']))).json).toMatchObject(asked);
    await made(1);
    expect((await patch({ max_versions: 1 })).json).toMatchObject(asked);
    expect((await patch({ max_versions: 0 })).json).toMatchObject(asked);
    expect((await patch({ custom_metadata: { owner: 'ada' } })).status).toBe(200);
    expect((await patch({ max_versions: 13 })).status).toBe(200);
  });

  test('asks for moving a secret to an engine that keeps fewer versions, and not for copying it', async () => {
    await live.direct.write('sys/mounts/fewer', { type: 'kv', options: { version: '2' } });
    await live.direct.write('fewer/config', { max_versions: 1 });
    await made(1);
    const to = (name: string) => ({ to: { mount: 'fewer', path: name } });
    expect((await move(to('a'))).json).toMatchObject(asked);
    expect(linesOf(await move({ ...to('a'), mode: 'copy' })).at(-1)).toMatchObject({ outcome: 'done' });
    // Its own number moves with it.
    await live.direct.write(`secret/metadata/${path}`, { max_versions: 3 });
    expect(linesOf(await move(to('b'))).at(-1)).toMatchObject({ outcome: 'done', removed: 1 });
  });

  test('asks for keeping fewer versions in an engine, and not for keeping more', async () => {
    const settings = `${secretsApi}/mounts/secret/settings`;
    const put = async (max_versions: number) => {
      const revision = String((await page.send('GET', settings)).json['revision']);
      const body = { max_versions, cas_required: false, delete_version_after: '0s' };
      return page.send('PUT', settings, { revision, body });
    };
    expect((await put(20)).status).toBe(200);
    expect((await put(19)).json).toMatchObject(asked);
    expect((await put(0)).json).toMatchObject(asked);
    expect((await page.send('GET', settings)).json).toMatchObject({ max_versions: 20 });
  });

  test('reports errors before it asks for a password', async () => {
    const answer = await page.send('POST', secretAt(await made(1), '/destroy'), { body: { versions: [] } });
    expect(answer.json).toMatchObject({ code: 'invalid-request' });
  });
});

test('asks for no password outside production, neither for exports nor for destroying', async () => {
  const own = await lab.signedIn();
  await lab.direct.write('secret/data/a', { data: { a: 1 } });
  const taken = await own.send('POST', `${secretsApi}/mounts/secret/export`, { body: { paths: ['a'] } });
  expect(linesOf(taken).at(-1)).toMatchObject({ secrets: 1 });
  expect((await own.send('POST', secretAt('a', '/destroy'), { body: { versions: [1] } })).status).toBe(204);
});

test('lets an operation narrow only a harm that it declares', () => {
  const narrowing = allEndpoints.filter(({ name }) => operations[name].harm !== undefined);
  expect(narrowing.length).toBeGreaterThan(3);
  expect(narrowing.filter(({ harm }) => !mayAskForPassword(harm))).toEqual([]);
});
