/** Ways around the password in production, each of which once existed. */
import type { PublishRun } from '@gatehouse/api-types/console/publish';
import { testPassword } from '@gatehouse/secrets-server/testing/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { boxAt, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { confirmAs } from '#test/console.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  picked,
  putImage,
  readRun,
  runIn,
  runsApi,
  sendAll,
  sha256,
  shownRevision,
  startRun,
  uploadIn,
  releaseRun,
} from '#test/publish.ts';
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

  test("a move to an engine that keeps fewer versions, and doesn't show which", async () => {
    await live.direct.write('sys/mounts/small', { type: 'kv', options: { version: '2' } });
    await live.direct.write('small/config', { max_versions: 1 });
    for (const count of [1, 2, 3]) await live.direct.write('secret/data/gaps/kept', { data: { count } });
    const mover = await live.withPolicy(
      'mover',
      `path "secret/*" { capabilities = ["create", "read", "update", "delete", "list"] }
       path "small/data/*" { capabilities = ["create", "read", "update"] }`,
      true,
    );
    const lines = linesOf(await move(mover, 'gaps/kept', { mount: 'small', path: 'kept' }));
    expect(lines.at(-1)).toMatchObject({ outcome: 'partly', removed: 0, code: 'invalid-request' });
    const left = await live.direct.read('secret/metadata/gaps/kept');
    expect(Object.keys(left.data['versions'] ?? {})).toEqual(['1', '2', '3']);
  });

  test('a move of a secret that loses a version after the harm was determined', async () => {
    for (const count of [1, 2]) await live.direct.write('secret/data/gaps/raced', { data: { count } });
    let deleting: Promise<unknown> | undefined;
    // The first read of the versions determines the harm, and still finds the version.
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

  test("records what can't be done because the service is down", async () => {
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
  afterEach(() => {
    delete live.proxy.onRequest;
  });

  /** Does something when the registry first gets this request, before it answers. */
  const during = (line: string, change: () => Promise<unknown>): void => {
    let changing: Promise<unknown> | undefined;
    live.proxy.onRequest = (bytes) => {
      if (changing !== undefined || !bytes.toString('latin1').startsWith(line)) return undefined;
      changing = change();
      return changing;
    };
  };
  const planOf = async (body: object): Promise<PublishRun> =>
    runIn(await page.send('POST', runsApi, { body }));
  const replan = async (run: PublishRun, body: object): Promise<void> => {
    const answer = await page.send('PUT', `${runsApi}/${run.id}`, { revision: run.revision, body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  };

  const providerAt = (box: string): string =>
    boxAt(`admin/${box}`, '/versions/1.0.0/providers/virtualbox/unknown');

  /** A released version whose image the registry has. */
  async function released(box: string): Promise<BrowserAnswer> {
    const run = await startRun(page, box);
    const image = imageOf(5000);
    await sendAll(page, (await beginUpload(page, run, image)).path, image);
    await expect
      .poll(async () => (await page.send('GET', providerAt(box))).json)
      .toMatchObject({ available: true });
    expect((await releaseRun(page, run)).status).toBe(200);
    return page.send('GET', providerAt(box));
  }

  test('are lost if a provider gets an address', async () => {
    const { json } = await released('patched');
    const revision = String(json['revision']);
    expect((await page.send('DELETE', providerAt('patched'), { revision })).json).toMatchObject(asked);
    const body = { url: 'https://elsewhere.example/other.box', checksum: '', checksum_type: null };
    expect((await page.send('PATCH', providerAt('patched'), { revision, body })).json).toMatchObject(asked);
  });

  test('are lost if clients of a release get another checksum', async () => {
    const { json } = await released('summed');
    const revision = String(json['revision']);
    const body = { checksum: 'a'.repeat(64), checksum_type: 'sha256' };
    expect((await page.send('PATCH', providerAt('summed'), { revision, body })).json).toMatchObject(asked);
    expect((await page.send('GET', providerAt('summed'))).json).toMatchObject({ revision });
  });

  test('are lost if a version is released while its checksum is changed', async () => {
    await startRun(page, 'hurried', [{ name: 'virtualbox', url: 'https://images.example/a.box' }]);
    const { json } = await page.send('GET', providerAt('hurried'));
    const revision = String(json['revision']);
    during('GET /api/v2/box/admin/hurried/version/1.0.0/provider/', () =>
      live.direct.put('/api/v1/box/admin/hurried/version/1.0.0/release', {}),
    );
    const body = { checksum: 'a'.repeat(64), checksum_type: 'sha256' };
    expect((await page.send('PATCH', providerAt('hurried'), { revision, body })).json).toMatchObject(asked);
    expect((await page.send('GET', providerAt('hurried'))).json).toMatchObject({ revision });
  });

  test("are kept if a run's plan changes while its provider is judged", async () => {
    const before = await released('replanned');
    const version = { version: '1.0.0', description: '' };
    const box = { username: 'admin', name: 'replanned', create: null };
    const planned = {
      checksum: '',
      checksum_type: null,
      source: { kind: 'url', url: 'https://a.example/b' },
    };
    const made = await planOf({ box, version, providers: [{ ...planned, name: 'docker' }] });
    for (const step of ['box', 'version'])
      await page.send('POST', `${runsApi}/${made.id}/${step}`, { body: { existing: 'use' } });
    const run = await readRun(page, made.id);
    const id = run.providers[0]?.id;
    // It has no image to lose, unless it becomes another provider.
    during('GET /api/v2/box/admin/replanned/version/1.0.0/provider/docker/', () =>
      replan(run, { box, version, providers: [{ ...planned, id, name: 'virtualbox' }] }),
    );
    await page.send('POST', `${runsApi}/${run.id}/providers/${id}`, { body: { existing: 'update' } });
    expect((await page.send('GET', providerAt('replanned'))).json).toEqual(before.json);
  });

  test("keeps a private box private if its run's plan changes while it is judged", async () => {
    await live.direct.post('/api/v1/boxes', { box: { username: 'admin', name: 'hidden', is_private: true } });
    const texts = { short_description: 'Other words', description: '' };
    const plan = (is_private: boolean) => ({
      box: { username: 'admin', name: 'hidden', create: { ...texts, is_private } },
      version: null,
      providers: [],
    });
    const run = await planOf(plan(true));
    const revision = await shownRevision(page, `${runsApi}/${run.id}/box`);
    const asked = await readRun(page, run.id);
    during('GET /api/v2/box/admin/hidden ', () => replan(asked, plan(false)));
    await page.send('POST', `${runsApi}/${run.id}/box`, { body: { existing: 'update', revision } });
    expect((await page.send('GET', boxAt('admin/hidden'))).json).toMatchObject({ is_private: true });
  });

  test('keeps a box private that became private while a run changes its description', async () => {
    await live.direct.post('/api/v1/boxes', { box: { username: 'admin', name: 'open', is_private: false } });
    const create = { short_description: 'Other words', description: '', is_private: false };
    const box = { username: 'admin', name: 'open', create };
    const run = await planOf({ box, version: null, providers: [] });
    const revision = await shownRevision(page, `${runsApi}/${run.id}/box`);
    let hiding: Promise<unknown> | undefined;
    live.proxy.onRequest = (bytes) => {
      if (hiding !== undefined || !bytes.toString('latin1').startsWith('PUT /api/v2/box/')) return undefined;
      hiding = live.direct.put('/api/v1/box/admin/open', { box: { is_private: true } });
      return hiding;
    };
    await page.send('POST', `${runsApi}/${run.id}/box`, { body: { existing: 'update', revision } });
    expect((await page.send('GET', boxAt('admin/open'))).json).toMatchObject({
      is_private: true,
      short_description: 'Other words',
    });
  });

  test("are kept if they arrive while a run's file is being sent", async () => {
    const run = await startRun(page, 'late');
    const [own, other] = [imageOf(5000), imageOf(6000, 7)];
    const upload = await beginUpload(page, run, own);
    await putImage(live, 'late', other);
    await sendAll(page, upload.path, own);
    const failed = await uploadIn(page, run.id, ['failed', 'done']);
    expect(failed).toMatchObject({ state: 'failed', problem: { code: 'conflict' }, retry: 'deliver' });
    expect(await downloaded(live, 'late')).toBe(sha256(other));
  });

  test('are kept if only an image that is gone since was allowed to be replaced', async () => {
    const run = await startRun(page, 'gone');
    const [own, other] = [imageOf(5000), imageOf(6000, 7)];
    await putImage(live, 'gone', other);
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    expect((await page.send('POST', path, { body: picked(own) })).json).toMatchObject(asked);
    await confirmAs(page, testPassword);
    await beginUpload(page, run, own);
    expect((await page.send('DELETE', path)).status).toBe(204);
    const version = '/api/v1/box/admin/gone/version/1.0.0';
    await live.direct.delete(`${version}/provider/virtualbox`);
    await live.direct.post(`${version}/providers`, { provider: { name: 'virtualbox' } });

    const upload = await beginUpload(page, run, own);
    await putImage(live, 'gone', other);
    await sendAll(page, upload.path, own);
    expect(await uploadIn(page, run.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict' },
    });
    expect(await downloaded(live, 'gone')).toBe(sha256(other));
  });

  const linked = { name: 'docker', url: 'https://images.example/a.box' };
  /** A run whose version has no image yet that clients could get by name, and can be released. */
  const draft = (by: Browser, box: string, name = 'virtualbox') => startRun(by, box, [{ name }, linked]);
  /** Plans another run for the version of the first one, up to its providers. */
  async function secondRun(by: Browser, { box, version }: PublishRun): Promise<PublishRun> {
    const provider = { name: 'virtualbox', source: { kind: 'image' }, checksum: '', checksum_type: null };
    const run = await planOf({
      box: { username: 'admin', name: box?.name, create: null },
      version: { version: version?.version, description: '' },
      providers: [provider],
    });
    for (const step of ['box', 'version'])
      runIn(await by.send('POST', `${runsApi}/${run.id}/${step}`, { body: { existing: 'use' } }));
    return run;
  }
  const release = async (box: string): Promise<void> => {
    const { status } = await live.direct.put(`/api/v1/box/admin/${box}/version/1.0.0/release`, {});
    expect(status).toBe(200);
  };
  const uploadPath = ({ id, providers }: PublishRun) =>
    `${runsApi}/${id}/providers/${providers[0]?.id}/upload`;
  /** Delivers the image, whose delivery was refused because its version was released, once that is confirmed. */
  async function confirmDelivery(by: Browser, run: PublishRun, image: Buffer): Promise<void> {
    expect(await uploadIn(by, run.id, ['failed', 'done'])).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict', detail: expect.stringContaining('The version is released') },
      retry: 'deliver',
    });
    const box = run.box?.name ?? '';
    expect(await downloaded(live, box)).toBe('404');
    const again = await by.send('POST', `${uploadPath(run)}/deliver`);
    expect(again.json).toMatchObject({ ...asked, detail: expect.stringContaining("it can't be recalled") });
    await confirmAs(by, testPassword);
    expect((await by.send('POST', `${uploadPath(run)}/deliver`)).status).toBe(200);
    expect(await uploadIn(by, run.id, ['failed', 'done'])).toMatchObject({ state: 'done' });
    expect(await downloaded(live, box)).toBe(sha256(image));
  }

  test('are added to a released version only with the password', async () => {
    const by = await live.signedIn();
    const image = imageOf(5000);
    const before = await draft(by, 'added');
    await release('added');
    const body = {
      name: 'libvirt',
      architecture: 'unknown',
      is_default: true,
      url: linked.url,
      checksum: '',
      checksum_type: null,
    };
    const providers = boxAt('admin/added', '/versions/1.0.0/providers');
    expect((await by.send('POST', providers, { body })).json).toMatchObject(asked);
    const run = await secondRun(by, before);
    const step = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}`;
    runIn(await by.send('POST', step, { body: { existing: 'use' } }));
    const refused = await by.send('POST', uploadPath(run), { body: picked(image) });
    expect(refused.json).toMatchObject({ ...asked, detail: expect.stringContaining("it can't be recalled") });
    expect((await readRun(by, run.id)).providers[0]?.upload).toBeNull();
    await confirmAs(by, testPassword);
    await sendAll(by, (await beginUpload(by, run, image)).path, image);
    expect(await uploadIn(by, run.id, ['failed', 'done'])).toMatchObject({ state: 'done' });
    expect(await downloaded(live, 'added')).toBe(sha256(image));
  });

  test.each([
    ['before they are sent', 'released-1', undefined],
    [
      'while they are sent',
      'released-2',
      'GET /api/v2/box/admin/released-2/version/1.0.0/provider/virtualbox/unknown/upload',
    ],
  ])('are added to a version released %s only once that is confirmed', async (_when, box, line) => {
    const by = await live.signedIn();
    const image = imageOf(5000);
    const run = await draft(by, box);
    const upload = await beginUpload(by, run, image);
    let begun = 0;
    if (line !== undefined) during(line, () => release(box));
    else {
      await release(box);
      live.proxy.onRequest = (bytes) => {
        if (/^GET \S+\/upload /.test(bytes.toString('latin1'))) begun += 1;
      };
    }
    await sendAll(by, upload.path, image);
    await uploadIn(by, run.id, ['failed', 'done']);
    expect(begun).toBe(0);
    await confirmDelivery(by, run, image);
  });

  test.each(['created', 'used'])(
    'that wait for a provider are added to a version released since only if it is %s with the password',
    async (how) => {
      const by = await live.signedIn();
      const image = imageOf(5000);
      const box = `${how}-late`;
      const run = await secondRun(by, await draft(by, box, how === 'used' ? 'virtualbox' : 'libvirt'));
      await sendAll(by, (await beginUpload(by, run, image)).path, image);
      await release(box);
      const step = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}`;
      expect((await by.send('POST', step, { body: { existing: 'use' } })).json).toMatchObject(asked);
      expect(await downloaded(live, box)).toBe('404');
      await confirmAs(by, testPassword);
      runIn(await by.send('POST', step, { body: { existing: 'use' } }));
      expect(await uploadIn(by, run.id, ['failed', 'done'])).toMatchObject({ state: 'done' });
      expect(await downloaded(live, box)).toBe(sha256(image));
    },
  );

  test('are added to a version released before a direct upload is completed only once that is confirmed', async () => {
    const before = live.console;
    live.console = await live.another({
      boxesSettings: { clientUrl: new URL(live.server.url), uploadWay: 'direct' },
    });
    await before.close();
    const by = await live.signedIn();
    const image = imageOf(5000);
    const run = await draft(by, 'direct');
    const upload = await beginUpload(by, run, image);
    let releasing: Promise<unknown> | undefined;
    live.proxy.onRequest = (bytes) =>
      bytes.includes(image.subarray(-100)) ? (releasing ??= release('direct')) : undefined;
    await sendAll(by, upload.path, image);
    await confirmDelivery(by, run, image);
    expect(releasing).toBeDefined();
  });
});
