/** The console with a registry like Vagrant Cloud: missing features aren't offered, and additional ones do no harm. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { boxAt, boxesApi } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { startConsole, type TestConsole, type TestConsoleOptions } from '#test/console.ts';
import {
  beginUpload,
  imageOf,
  runIn,
  runsApi,
  sendAll,
  sha256,
  startRun,
  uploadIn,
  releaseRun,
} from '#test/publish.ts';
import { cloudPassword, startVagrantCloud, type VagrantCloud } from '#test/vagrant-cloud.ts';

let cloud: VagrantCloud;
let console: TestConsole;
beforeEach(async () => {
  cloud = await startVagrantCloud();
});
afterEach(async () => {
  await console.close();
  await cloud[Symbol.asyncDispose]();
});

async function open(
  settings: TestConsoleOptions['boxesSettings'] = { uploadOrigins: [cloud.storeUrl] },
): Promise<Browser> {
  console = await startConsole({
    boxes: { kind: 'url', url: new URL(cloud.url) },
    boxesSettings: settings,
    bff: { retryDelaysMs: [10], limits: { callMs: 1_000 } },
  });
  const page = console.browser();
  const credentials = { method: 'password', login_name: 'ada', password: cloudPassword };
  const signedIn = await page.send('POST', '/api/session', {
    body: { environment: 'test', service: 'boxes', credentials },
  });
  expect([signedIn.status, signedIn.text]).toEqual([200, expect.any(String)]);
  return page;
}

const codeOf = ({ status, json }: BrowserAnswer): unknown[] => [status, json['code']];

/** Publishes an image up to its delivery. */
async function delivered(page: Browser, box: string, image: Buffer) {
  const run = await startRun(page, box, undefined, '1.0.0', 'ada');
  await sendAll(page, (await beginUpload(page, run, image)).path, image);
  return { run, upload: await uploadIn(page, run.id, ['done', 'failed']) };
}

describe('missing features', () => {
  test('are reported as missing, and everything else works', async () => {
    const page = await open();
    const account = await page.send('GET', `${boxesApi}/account`);
    expect(account.json).toEqual({
      username: 'ada',
      namespaces: [{ username: 'ada', kind: 'person' }],
      namespaces_complete: false,
      organizations: null,
      two_factor: null,
      knows_architectures: false,
      server_url: cloud.url,
    });
    const asked = () => cloud.seen.filter(({ path }) => path === '/api/v1/namespaces').length;
    const first = asked();
    expect(first).toBeGreaterThan(0);
    expect((await page.send('GET', `${boxesApi}/tokens`)).json).toEqual({ tokens: null });
    for (const path of ['settings', 'organizations', 'organizations/ada'])
      expect(codeOf(await page.send('GET', `${boxesApi}/${path}`))).toEqual([404, 'not-found']);
    const setUp = { body: { password: cloudPassword } };
    expect(codeOf(await page.send('POST', `${boxesApi}/two-factor/begin`, setUp))).toEqual([
      404,
      'not-found',
    ]);
    const organization = { body: { username: 'guild', profile: '' } };
    expect(codeOf(await page.send('POST', `${boxesApi}/organizations`, organization))).toEqual([
      404,
      'not-found',
    ]);
    // The registry is known to lack all of these for a while.
    expect(asked()).toBe(first);

    const body = { name: 'bionic', short_description: 'x', description: '', is_private: true };
    const made = await page.send('POST', `${boxesApi}/owners/ada/boxes`, { body });
    expect(made.json).toMatchObject({
      tag: 'ada/bionic',
      may: { publish: true, manage: false },
      versions: [],
    });
    const provider = {
      name: 'libvirt',
      architecture: 'unknown',
      is_default: true,
      url: 'https://images.example/1.box',
      checksum: '',
      checksum_type: null,
    };
    for (const [more, fields] of [
      ['/versions', { version: '1.0.0', description: '' }],
      ['/versions/1.0.0/providers', provider],
    ] as const)
      expect((await page.send('POST', boxAt('ada/bionic', more), { body: fields })).status).toBe(200);
    const box = await page.send('GET', boxAt('ada/bionic'));
    expect(box.json['versions']).toMatchObject([
      { providers: [{ ...provider, available: true, size: null, downloads: null, architecture: 'amd64' }] },
    ]);
    expect((await page.send('GET', boxAt('ada/bionic', '/downloads'))).json).toEqual({ daily: null });
    const version = await page.send('GET', boxAt('ada/bionic', '/versions/1.0.0'));
    const released = await page.send('POST', boxAt('ada/bionic', '/versions/1.0.0/release'), {
      revision: String(version.json['whole_revision']),
    });
    expect(released.json).toMatchObject({ status: 'active' });
    expect((await page.send('GET', `${boxesApi}/search?q=bionic`)).json).toMatchObject({
      boxes: [{ tag: 'ada/bionic', downloads: 7, current_version: { version: '1.0.0' } }],
      more: false,
    });
    expect((await page.send('GET', `${boxesApi}/owners/ada`)).json).toMatchObject({
      kind: null,
      boxes: [{ tag: 'ada/bionic' }],
    });
    const changed = await page.send('PATCH', boxAt('ada/bionic'), {
      revision: String((await page.send('GET', boxAt('ada/bionic'))).json['revision']),
      body: { short_description: 'y' },
    });
    expect(changed.json).toMatchObject({ short_description: 'y' });
    expect(codeOf(await page.send('GET', boxAt('ada/private-of-another')))).toEqual([404, 'not-found']);
    const of = { revision: String(changed.json['whole_revision']) };
    expect((await page.send('DELETE', boxAt('ada/bionic'), of)).status).toBe(204);
  });

  test("a second factor is required at sign-in, or a token of the user's own", async () => {
    cloud.code = '123456';
    const page = await open().catch(() => console.browser());
    const signIn = (credentials: object) =>
      page.send('POST', '/api/session', { body: { environment: 'test', service: 'boxes', credentials } });
    const login = { method: 'password', login_name: 'ada', password: cloudPassword };
    expect((await signIn(login)).json).toMatchObject({
      code: 'two-factor-required',
      twoFactor: { default_delivery_method: 'app', delivery_methods: ['app', 'sms'], refused: false },
    });
    expect((await signIn({ ...login, two_factor_code: '123456' })).status).toBe(200);
    expect((await signIn({ method: 'token', token: 'unknown' })).json['code']).toBe('sign-in-failed');
  });
});

describe('images', () => {
  test.each(['plain', 'direct'] as const)(
    'go to its store the %s way without the token, and come back through the console without it',
    async (uploadWay) => {
      const page = await open({ uploadOrigins: [cloud.storeUrl], uploadWay });
      const image = imageOf(200_000, 51);
      const { run, upload } = await delivered(page, 'imaged', image);
      expect(upload).toMatchObject({ state: 'done', sha256: sha256(image) });
      expect(sha256(cloud.image('ada/imaged', '1.0.0', 'virtualbox') ?? Buffer.of())).toBe(sha256(image));
      const released = runIn(await releaseRun(page, run));
      expect(released).toMatchObject({ state: 'released' });
      const ticket = await page.send(
        'POST',
        boxAt('ada/imaged', '/versions/1.0.0/providers/virtualbox/unknown/download'),
      );
      const answer = await fetch(new URL(String(ticket.json['path']), console.origin), {
        headers: { cookie: page.cookie ?? '' },
      });
      expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(image));
      // The browser gets only the store's headers that it needs.
      expect(answer.headers.get('x-amz-id-2')).toBeNull();

      const [put, get] = cloud.seenByStore;
      for (const seen of [put, get]) {
        expect(seen?.headers.authorization ?? seen?.headers.cookie).toBeUndefined();
        expect(JSON.stringify(seen)).not.toContain('atlasv1');
      }
      expect(Object.keys(put?.headers ?? {}).sort()).toEqual([
        'connection',
        'content-length',
        'host',
        'user-agent',
      ]);
      const callbacks = cloud.seen.filter(
        ({ method, path }) => method === 'PUT' && path.includes('/upload/direct/'),
      );
      expect(callbacks.map(({ headers }) => headers.authorization?.slice(0, 7))).toEqual(
        uploadWay === 'direct' ? ['Bearer '] : [],
      );
    },
  );

  test("go nowhere that the configuration doesn't allow, and the token goes to no foreign callback", async () => {
    const image = imageOf(10_000, 52);
    const page = await open({});
    expect((await delivered(page, 'refused', image)).upload).toMatchObject({
      state: 'failed',
      retry: 'deliver',
      problem: { code: 'bad-answer', detail: expect.stringContaining('upload_origins') },
    });
    expect(cloud.seenByStore).toEqual([]);
    await console.close();

    let asked = 0;
    const sentinel = createServer((_req, res) => {
      asked += 1;
      res.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      sentinel.once('listening', resolve);
    });
    const elsewhere = `http://127.0.0.1:${(sentinel.address() as AddressInfo).port}`;
    cloud.callbackOrigin = elsewhere;
    // The token must not go even where images may go.
    const again = await open({ uploadOrigins: [cloud.storeUrl, elsewhere], uploadWay: 'direct' });
    expect((await delivered(again, 'misled', image)).upload).toMatchObject({
      state: 'failed',
      problem: { code: 'bad-answer', detail: expect.stringContaining('callback') },
    });
    expect([asked, cloud.seenByStore.length]).toEqual([0, 0]);
    sentinel.close();
  });

  test("that the store refuses or cuts off are reported in the console's words", async () => {
    const page = await open();
    cloud.interceptStore = (req, res) => {
      req.resume();
      res.writeHead(403, { 'content-type': 'application/xml' }).end('<Error>canary</Error>');
      return true;
    };
    const { run, upload } = await delivered(page, 'denied', imageOf(10_000, 53));
    expect(upload).toMatchObject({
      state: 'failed',
      retry: 'deliver',
      problem: { code: 'bad-answer', detail: expect.stringMatching(/store .*\(status 403\)/) },
    });
    expect((await page.send('GET', `${runsApi}/${run.id}`)).text).not.toContain('canary');
    let broken = 0;
    cloud.interceptStore = (req) => {
      broken += 1;
      if (broken > 1) return false;
      req.destroy();
      return true;
    };
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload/deliver`;
    expect((await page.send('POST', at)).status).toBe(200);
    expect(await uploadIn(page, run.id, ['done', 'failed'])).toMatchObject({ state: 'done' });
    expect(broken).toBe(2);
  });
});

test.each([
  [502, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [503, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [503, 'application/json', '{"errors":["canary"]}', [503, 'service-unavailable']],
  [404, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [401, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [403, 'application/json', '{"errors":["canary"]}', [403, 'forbidden']],
  [200, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [200, 'application/json', '{"boxes":"canary"}', [502, 'bad-answer']],
  [200, 'application/json', '{"boxes":[', [502, 'bad-answer']],
  [302, 'text/html', '<html>canary</html>', [502, 'bad-answer']],
  [429, 'text/html', '<html>canary</html>', [429, 'rate-limited']],
] as const)(
  "an answer of %i as %s, %s, becomes a problem in the console's words",
  async (status, type, text, expected) => {
    const page = await open();
    cloud.intercept = (req, res) => {
      if (req.url?.includes('/search') !== true) return false;
      res
        .writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:1/', 'retry-after': '7' })
        .end(text);
      return true;
    };
    const answer = await page.send('GET', `${boxesApi}/search`);
    expect(codeOf(answer)).toEqual(expected);
    expect(answer.text).not.toContain('canary');
    if (status === 429) expect(answer.headers['retry-after']).toBe('7');
  },
);

test("reports a timeout if the registry doesn't respond in time", async () => {
  const page = await open();
  cloud.intercept = (req) => req.url?.includes('/search') === true;
  expect(codeOf(await page.send('GET', `${boxesApi}/search`))).toEqual([504, 'service-timeout']);
});
