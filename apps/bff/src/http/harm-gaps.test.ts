/** Ways around the password in production, each of which was open once. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boxAt, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { beginUpload, imageOf, picked, runsApi, sendAll, startRun } from '#test/publish.ts';
import { linesOf, secretsApi, startSecrets, type SecretsConsole } from '#test/secrets.ts';

const asked = { code: 'confirmation-required', status: 403 };

describe('secrets', () => {
  let live: SecretsConsole;
  let page: Browser;
  beforeAll(async () => {
    live = await startSecrets({ kind: 'production' });
  });
  afterAll(() => live[Symbol.asyncDispose]());
  beforeEach(async () => {
    page = await live.signedIn();
  });
  afterEach(() => {
    live.proxy.fault = { kind: 'none' };
    delete live.proxy.onRequest;
  });

  const move = (by: Browser, from: string, to: { mount: string; path: string }): Promise<BrowserAnswer> =>
    by.send('POST', `${secretsApi}/transfer`, {
      body: { kind: 'secret', from: { mount: 'secret', path: from }, to, mode: 'move', versions: 'all' },
    });

  test('a move to an engine that keeps fewer versions, and does not show which', async () => {
    await live.direct.write('sys/mounts/small', { type: 'kv', options: { version: '2' } });
    await live.direct.write('small/config', { max_versions: 1 });
    for (const count of [1, 2, 3]) await live.direct.write('secret/data/gaps/kept', { data: { count } });
    const mover = await live.withPolicy(
      'mover',
      `path "secret/*" { capabilities = ["create", "read", "update", "delete", "list"] }
       path "small/data/*" { capabilities = ["create", "read", "update"] }`,
    );
    const lines = linesOf(await move(mover, 'gaps/kept', { mount: 'small', path: 'kept' }));
    expect(lines.at(-1)).toMatchObject({ outcome: 'partly', removed: 0, code: 'invalid-request' });
    const left = await live.direct.read('secret/metadata/gaps/kept');
    expect(Object.keys(left.data['versions'] ?? {})).toEqual(['1', '2', '3']);
  });

  test('a move of a secret of which a version is deleted after the harm was found out', async () => {
    for (const count of [1, 2]) await live.direct.write('secret/data/gaps/raced', { data: { count } });
    let deleting: Promise<unknown> | undefined;
    // The first look at the versions is that for the harm: it is answered when the version is still there.
    live.proxy.onRequest = (bytes) => {
      if (bytes.toString('latin1').includes('GET /v1/secret/metadata/gaps/raced '))
        deleting ??= live.direct.write('secret/delete/gaps/raced', { versions: [1] });
    };
    await move(page, 'gaps/raced', { mount: 'secret', path: 'gaps/raced-2' });
    await deleting;
    const left = await live.direct.read('secret/metadata/gaps/raced');
    // Version 1 could have been undeleted.
    expect(left.data['versions']).toHaveProperty('1');
  });

  test('what cannot be done because the service is down stays in the trail', async () => {
    await live.direct.write('secret/data/gaps/down', { data: { a: 1 } });
    const metadata = `${secretsApi}/mounts/secret/metadata/gaps%2Fdown`;
    const revision = String((await page.send('GET', metadata)).json['revision']);
    const failures = async (): Promise<number> => {
      const { json } = await page.send(
        'GET',
        '/api/environments/test/activity?outcome=failed&action=secret-metadata.patch',
      );
      return (json['items'] as readonly unknown[]).length;
    };
    const patch = (body: object) => page.send('PATCH', metadata, { revision, body });
    const before = await failures();
    live.proxy.fault = { kind: 'hang up' };
    live.proxy.drop();
    expect((await patch({ cas_required: true })).status).toBe(503);
    expect(await failures()).toBe(before + 1);
    expect((await patch({ max_versions: 5 })).status).toBe(503);
    expect(await failures()).toBe(before + 2);
  });
});

describe('images', () => {
  let live: BoxesConsole;
  let page: Browser;
  beforeAll(async () => {
    live = await startBoxes({ kind: 'production' });
    page = await live.signedIn();
  });
  afterAll(() => live[Symbol.asyncDispose]());

  const providerAt = (box: string): string =>
    boxAt(`admin/${box}`, '/versions/1.0.0/providers/virtualbox/unknown');

  /** A released version whose image the registry holds. */
  async function released(box: string): Promise<BrowserAnswer> {
    const run = await startRun(page, box);
    const image = imageOf(5000);
    await sendAll(page, (await beginUpload(page, run, image)).path, image);
    await expect
      .poll(async () => (await page.send('GET', providerAt(box))).json)
      .toMatchObject({ available: true });
    expect((await page.send('POST', `${runsApi}/${run.id}/release`, { body: {} })).status).toBe(200);
    return page.send('GET', providerAt(box));
  }

  /** Another run over the version that is there, up to its provider. */
  async function publishOver(box: string, source: object): Promise<[string, BrowserAnswer]> {
    const made = await page.send('POST', runsApi, {
      body: {
        box: { username: 'admin', name: box, create: null },
        version: { version: '1.0.0', description: '' },
        providers: [{ name: 'virtualbox', source, checksum: '', checksum_type: null }],
      },
    });
    const { id, providers } = made.json as { id: string; providers: [{ id: string }] };
    const run = `${runsApi}/${id}`;
    for (const step of ['box', 'version'])
      await page.send('POST', `${run}/${step}`, { body: { existing: 'use' } });
    const provider = `${run}/providers/${providers[0].id}`;
    return [provider, await page.send('POST', provider, { body: { existing: 'update' } })];
  }

  test('are lost where a provider is given an address', async () => {
    const { json } = await released('patched');
    const revision = String(json['revision']);
    expect((await page.send('DELETE', providerAt('patched'), { revision })).json).toMatchObject(asked);
    const body = { url: 'https://elsewhere.example/other.box', checksum: '', checksum_type: null };
    expect((await page.send('PATCH', providerAt('patched'), { revision, body })).json).toMatchObject(asked);
  });

  test('are lost where a run gives a provider that is there an address', async () => {
    await released('readdressed');
    const source = { kind: 'url', url: 'https://elsewhere.example/other.box' };
    expect((await publishOver('readdressed', source))[1].json).toMatchObject(asked);
  });

  test('are lost where a run uploads another one over them', async () => {
    const before = await released('replaced');
    const [provider] = await publishOver('replaced', { kind: 'image' });
    const other = imageOf(6000, 7);
    const upload = await page.send('POST', `${provider}/upload`, { body: picked(other) });
    if (upload.status === 200) {
      await sendAll(page, String(upload.json['path']), other);
      await expect
        .poll(async () => (await page.send('GET', providerAt('replaced'))).json['size'])
        .not.toBe(before.json['size']);
    }
    expect(upload.json).toMatchObject(asked);
  });
});
