import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesApi, startBoxes, type BoxesConsole } from '../../../test/boxes.ts';
import type { Browser } from '../../../test/browser.ts';
import {
  beginUpload,
  imageOf,
  patch,
  picked,
  readRun,
  runIn,
  runsApi,
  sendAll,
  sha256,
  startRun,
  uploadIn,
} from '../../../test/publish.ts';

let boxes: BoxesConsole;
let admin: Browser;

beforeAll(async () => {
  boxes = await startBoxes({ bff: { retryDelaysMs: [10, 20] } });
  admin = await boxes.signedIn();
});
afterAll(() => boxes[Symbol.asyncDispose]());

async function downloaded(box: string, provider = 'virtualbox', version = '1.0.0'): Promise<string> {
  const url = `${boxes.server.url}/admin/boxes/${box}/versions/${version}/providers/${provider}.box`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${boxes.direct.token}` } });
  return answer.status === 200 ? sha256(Buffer.from(await answer.arrayBuffer())) : String(answer.status);
}

test('a box is published step by step: two providers, one of them with an image', async () => {
  const image = imageOf(2_500_000);
  const run = await startRun(admin, 'whole', [
    { name: 'virtualbox' },
    { name: 'libvirt', url: 'https://images.example/whole.box' },
  ]);
  expect(run).toMatchObject({
    state: 'open',
    box: { step: { state: 'done', outcome: 'created' } },
    version: { step: { state: 'done', outcome: 'created' } },
    providers: [
      { name: 'virtualbox', ready: false, upload: null },
      { name: 'libvirt', ready: true },
    ],
  });
  const early = await admin.send('POST', `${runsApi}/${run.id}/release`);
  expect(early.json).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('virtualbox'),
  });
  const upload = await beginUpload(admin, run, image);
  await sendAll(admin, upload.path, image);
  const done = await uploadIn(admin, run.id, ['done', 'failed']);
  expect(done).toMatchObject({
    state: 'done',
    received: image.length,
    delivered: image.length,
    attempts: 1,
    sha256: sha256(image),
    problem: null,
  });
  const released = runIn(await admin.send('POST', `${runsApi}/${run.id}/release`));
  expect(released).toMatchObject({ state: 'released', release: { state: 'done', outcome: 'created' } });
  expect(released.log.map(({ text }) => text)).toEqual([
    'The box admin/whole was created.',
    'Version 1.0.0 was created.',
    'The provider virtualbox was created.',
    'The provider libvirt was created.',
    'package.box was received.',
    'The image was delivered and verified.',
    'The release of version 1.0.0 was made: clients find it from now on.',
  ]);
  expect(await downloaded('whole')).toBe(sha256(image));
  const provider = await boxes.direct.get('/api/v1/box/admin/whole/version/1.0.0/provider/virtualbox');
  // It was not given, and is known by now.
  expect(provider.body).toMatchObject({ checksum: sha256(image), checksum_type: 'sha256' });
  const listed = await admin.send('GET', runsApi);
  expect(listed.json['runs']).not.toContainEqual(expect.objectContaining({ id: run.id }));
  const all = await admin.send('GET', `${runsApi}?ended=true`);
  expect(all.json['runs']).toContainEqual(expect.objectContaining({ id: run.id }));
});

describe('what is there already', () => {
  test('is used when it is as planned, and offered when it is not', async () => {
    await startRun(admin, 'there', [{ name: 'virtualbox', url: 'https://images.example/1.box' }]);
    const again = await startRun(admin, 'there', [
      { name: 'virtualbox', url: 'https://images.example/2.box' },
    ]);
    expect(again).toMatchObject({
      box: { step: { state: 'done', outcome: 'used' } },
      version: { step: { state: 'done', outcome: 'used' } },
      providers: [{ step: { state: 'exists', outcome: null }, ready: false }],
    });
    const at = `${runsApi}/${again.id}/providers/${again.providers[0]?.id}`;
    const used = runIn(await admin.send('POST', at, { body: { existing: 'use' } }));
    expect(used.providers).toMatchObject([{ step: { state: 'done', outcome: 'used' }, ready: true }]);
    const updated = runIn(await admin.send('POST', at, { body: { existing: 'update' } }));
    expect(updated.providers).toMatchObject([{ step: { outcome: 'updated' } }]);
    const stored = await boxes.direct.get('/api/v1/box/admin/there/version/1.0.0/provider/virtualbox');
    expect(stored.body['original_url']).toBe('https://images.example/2.box');
  });

  test('and holds an image is not replaced unasked', async () => {
    const image = imageOf(1000);
    const first = await startRun(admin, 'imaged');
    await sendAll(admin, (await beginUpload(admin, first, image)).path, image);
    await uploadIn(admin, first.id, ['done']);
    const second = await startRun(admin, 'imaged');
    expect(second.providers).toMatchObject([{ step: { state: 'exists' } }]);
    const at = `${runsApi}/${second.id}/providers/${second.providers[0]?.id}`;
    const used = runIn(await admin.send('POST', at, { body: { existing: 'use' } }));
    expect(used.providers).toMatchObject([{ ready: true, upload: null }]);
    const released = runIn(await admin.send('POST', `${runsApi}/${second.id}/release`));
    expect(released.state).toBe('released');
    const late = runIn(await admin.send('POST', `${runsApi}/${first.id}/release`));
    expect(late.release).toMatchObject({ state: 'done', outcome: 'used' });
  });

  test('but a box of somebody else, or one that was deleted, fails with what to do', async () => {
    const made = await admin.send('POST', runsApi, {
      body: { box: { username: 'admin', name: 'nowhere', create: null }, version: null, providers: [] },
    });
    const run = runIn(made);
    const failed = await admin.send('POST', `${runsApi}/${run.id}/box`, { body: {} });
    expect([failed.status, failed.json['code']]).toEqual([404, 'not-found']);
    expect(await readRun(admin, run.id)).toMatchObject({
      box: { step: { state: 'failed', problem: { code: 'not-found' } } },
      log: [{ failed: true }],
    });
    const early = await admin.send('POST', `${runsApi}/${run.id}/version`, { body: {} });
    expect(early.json['code']).toBe('invalid-request');
  });
});

describe('a plan', () => {
  test('is saved under the eyes of whoever saves it, and keeps what is done', async () => {
    const run = await startRun(admin, 'planned', [
      { name: 'virtualbox', url: 'https://images.example/1.box' },
    ]);
    const plan = {
      box: {
        username: 'admin',
        name: 'planned',
        create: { short_description: '', description: '', is_private: true },
      },
      version: { version: '1.0.0', description: '' },
      providers: [
        {
          id: run.providers[0]?.id,
          name: 'virtualbox',
          source: { kind: 'url', url: 'https://images.example/1.box' },
          checksum: '',
          checksum_type: null,
        },
        { name: 'libvirt', source: { kind: 'image' }, checksum: '', checksum_type: null },
      ],
    };
    const at = `${runsApi}/${run.id}`;
    const saved = runIn(await admin.send('PUT', at, { revision: run.revision, body: plan }));
    expect(saved.providers).toMatchObject([
      { name: 'virtualbox', step: { state: 'done' } },
      { name: 'libvirt', step: { state: 'planned' } },
    ]);
    const stale = await admin.send('PUT', at, {
      revision: run.revision,
      body: { ...plan, providers: [] },
    });
    expect(stale.json).toMatchObject({ code: 'conflict', conflict: { currentRevision: saved.revision } });
    const other = await admin.send('PUT', at, {
      revision: saved.revision,
      body: { ...plan, version: { version: '2.0.0', description: '' } },
    });
    expect(other.json['code']).toBe('invalid-request');
    const operator = await boxes.signedIn('operator');
    expect((await operator.send('GET', at)).status).toBe(404);
    const ended = runIn(await admin.send('POST', `${at}/abandon`));
    expect(ended.state).toBe('abandoned');
    expect((await admin.send('POST', `${at}/box`, { body: {} })).status).toBe(400);
  });

  test('has each provider once', async () => {
    const provider = { name: 'virtualbox', source: { kind: 'image' }, checksum: '', checksum_type: null };
    const answer = await admin.send('POST', runsApi, {
      body: { box: null, version: null, providers: [provider, { ...provider, name: 'VirtualBox' }] },
    });
    expect(answer.json['code']).toBe('invalid-request');
  });
});

describe('a delivery', () => {
  test('of a file with another checksum is refused, and nothing is kept at the registry', async () => {
    const image = imageOf(3_000_000, 7);
    const run = await startRun(admin, 'wrong', [{ name: 'virtualbox', checksum: 'a'.repeat(64) }]);
    const upload = await beginUpload(admin, run, image);
    await sendAll(admin, upload.path, image);
    const failed = await uploadIn(admin, run.id, ['failed', 'done']);
    expect(failed).toMatchObject({
      state: 'failed',
      retry: 'deliver',
      problem: { code: 'invalid-request', detail: expect.stringContaining(sha256(image)) },
    });
    const stored = await boxes.direct.get('/api/v1/box/admin/wrong/version/1.0.0/provider/virtualbox');
    expect(stored.body).toMatchObject({ download_url: null, size: null });
    // The checksum was mistyped: what was received is delivered again.
    const current = await readRun(admin, run.id);
    const [provider] = current.providers;
    const corrected = runIn(
      await admin.send('PUT', `${runsApi}/${run.id}`, {
        revision: current.revision,
        body: {
          box: { username: 'admin', name: 'wrong', create: current.box?.create },
          version: { version: '1.0.0', description: '' },
          providers: [
            {
              id: provider?.id,
              name: 'virtualbox',
              source: { kind: 'image' },
              checksum: sha256(image),
              checksum_type: 'sha256',
            },
          ],
        },
      }),
    );
    expect(corrected.providers).toMatchObject([{ step: { state: 'planned' } }]);
    const at = `${runsApi}/${run.id}/providers/${provider?.id}`;
    runIn(await admin.send('POST', at, { body: { existing: 'update' } }));
    expect((await admin.send('POST', `${at}/upload/deliver`)).status).toBe(200);
    expect((await uploadIn(admin, run.id, ['done', 'failed'])).state).toBe('done');
    expect(await downloaded('wrong')).toBe(sha256(image));
  });

  test('waits while the registry is down, and goes on by itself', async () => {
    const image = imageOf(2_000_000, 3);
    const run = await startRun(admin, 'outage');
    const upload = await beginUpload(admin, run, image);
    boxes.proxy.fault = { kind: 'hang up' };
    boxes.proxy.drop();
    await sendAll(admin, upload.path, image);
    const failed = await uploadIn(admin, run.id, ['failed']);
    expect(failed).toMatchObject({ retry: 'deliver', problem: { code: 'service-unavailable' } });
    boxes.proxy.fault = { kind: 'none' };
    const at = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    await admin.send('POST', `${at}/deliver`);
    expect((await uploadIn(admin, run.id, ['done'])).attempts).toBeGreaterThan(0);
    expect(await downloaded('outage')).toBe(sha256(image));
  });

  test('that is cut in its middle begins anew', async () => {
    const image = imageOf(6_000_000, 4);
    const run = await startRun(admin, 'cut');
    const upload = await beginUpload(admin, run, image);
    let passed = 0;
    let cuts = 0;
    boxes.proxy.onRequest = (bytes) => {
      passed += bytes.length;
      if (passed < 2_000_000 || cuts > 0) return;
      cuts += 1;
      boxes.proxy.drop();
    };
    await sendAll(admin, upload.path, image);
    expect(await uploadIn(admin, run.id, ['done', 'failed'])).toMatchObject({ state: 'done', attempts: 2 });
    delete boxes.proxy.onRequest;
    expect([cuts, await downloaded('cut')]).toEqual([1, sha256(image)]);
  });

  test('never tells the token to the address of the upload', async () => {
    const image = imageOf(500_000, 5);
    const run = await startRun(admin, 'canary');
    const upload = await beginUpload(admin, run, image);
    const heads: string[] = [];
    boxes.proxy.onRequest = (bytes) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('PUT /upload/')) heads.push(text.slice(0, text.indexOf('\r\n\r\n')));
    };
    await sendAll(admin, upload.path, image);
    await uploadIn(admin, run.id, ['done']);
    delete boxes.proxy.onRequest;
    expect(heads).toHaveLength(1);
    expect(heads[0]).not.toMatch(/authorization|bearer|cookie/i);
    expect(heads[0]).toMatch(/content-length: 500000/i);
  });

  test('keeps its token after signing out, and is stopped when that is asked for', async () => {
    const image = imageOf(1_000_000, 6);
    const page = await boxes.signedIn();
    const run = await startRun(page, 'leaving');
    const upload = await beginUpload(page, run, image);
    const stopped = await startRun(page, 'stopped');
    boxes.proxy.fault = { kind: 'silence' };
    boxes.proxy.drop();
    await sendAll(page, upload.path, image);
    await uploadIn(page, run.id, ['delivering', 'received']);
    await page.send('DELETE', '/api/session?stop_deliveries=true');
    boxes.proxy.fault = { kind: 'none' };
    boxes.proxy.drop();
    const again = await boxes.signedIn();
    expect(await uploadIn(again, run.id, ['failed'])).toMatchObject({
      problem: { code: 'not-connected' },
      retry: 'deliver',
    });
    boxes.proxy.onRequest = () => boxes.proxy.drop();
    const second = await beginUpload(again, stopped, image);
    await sendAll(again, second.path, image);
    await again.send('DELETE', '/api/session');
    delete boxes.proxy.onRequest;
    const last = await boxes.signedIn();
    const end = await uploadIn(last, stopped.id, ['done', 'failed']);
    // Whether an attempt was left when the registry was back is a matter of time; the token was good in any case.
    expect([null, 'service-unavailable']).toContain(end.problem?.code ?? null);
  });
});

describe('an upload', () => {
  test('goes on at the offset that is on the disk, wherever it was cut', async () => {
    const image = imageOf(300_000, 8);
    const run = await startRun(admin, 'offsets');
    const upload = await beginUpload(admin, run, image);
    let at = 0;
    for (const length of [0, 1, 65_535, 65_536, 65_537, 100_000]) {
      const answer = await patch(admin, upload.path, at, image.subarray(at, at + length));
      at += length;
      expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(at)]);
    }
    for (const wrong of [at - 1, at + 1, 0]) {
      const answer = await patch(admin, upload.path, wrong, image.subarray(0, 1));
      expect([answer.status, answer.headers['tus-resumable']]).toEqual([409, '1.0.0']);
    }
    const beyond = await patch(admin, upload.path, at, Buffer.alloc(image.length));
    expect(beyond.status).toBe(413);
    await patch(admin, upload.path, at, image.subarray(at));
    await uploadIn(admin, run.id, ['done']);
    expect(await downloaded('offsets')).toBe(sha256(image));
  });

  test('of the same file is found again, of another one refused, and room is kept for both', async () => {
    const image = imageOf(200_000, 9);
    const run = await startRun(admin, 'again');
    const first = await beginUpload(admin, run, image);
    await patch(admin, first.path, 0, image.subarray(0, 100_000));
    const second = await beginUpload(admin, run, image);
    expect(second).toMatchObject({ id: first.id, received: 100_000, state: 'receiving' });
    const path = `${runsApi}/${run.id}/providers/${run.providers[0]?.id}/upload`;
    const other = await admin.send('POST', path, { body: picked(imageOf(1000, 10)) });
    expect(other.status).toBe(409);
    const query = `size=${image.length}&fingerprint=${sha256(image)}`;
    const found = await admin.send('GET', `/api/environments/test/publish-uploads?${query}`);
    expect(found.json['uploads']).toMatchObject([
      {
        run: run.id,
        box: 'admin/again',
        version: '1.0.0',
        provider_name: 'virtualbox',
        upload: { id: first.id },
      },
    ]);
    expect((await admin.send('DELETE', path)).status).toBe(204);
    expect((await patch(admin, first.path, 100_000, image.subarray(100_000))).status).toBe(404);
    const anew = await beginUpload(admin, run, imageOf(1000, 10));
    expect(anew.id).not.toBe(first.id);
    const huge = await admin.send('POST', path, { body: { ...picked(image), size: 2 ** 43 } });
    expect([409, 507]).toContain(huge.status);
  });

  test('is one person’s, behind every guard', async () => {
    const run = await startRun(admin, 'guards');
    const { path } = await beginUpload(admin, run, imageOf(1000));
    const tus = { 'tus-resumable': '1.0.0' };
    const operator = await boxes.signedIn('operator');
    expect((await operator.send('HEAD', path, { headers: tus })).status).toBe(404);
    expect((await admin.send('HEAD', path)).status).toBe(412);
    expect((await admin.send('HEAD', path, { headers: tus, without: ['x-gatehouse'] })).status).toBe(403);
    expect(
      (await admin.send('HEAD', path, { headers: { ...tus, 'sec-fetch-site': 'cross-site' } })).status,
    ).toBe(403);
    expect((await boxes.console.browser().send('HEAD', path, { headers: tus })).status).toBe(401);
    expect((await admin.send('PUT', path, { headers: tus })).status).toBe(405);
    const wrongType = await admin.send('PATCH', path, { headers: tus, body: {} });
    expect(wrongType.status).toBe(415);
    const options = await admin.send('OPTIONS', '/api/uploads');
    expect([options.headers['tus-version'], options.headers['tus-extension']]).toEqual([
      '1.0.0',
      'creation,termination,expiration',
    ]);
    expect(options.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is created and ended by tus alone too', async () => {
    const image = imageOf(1000, 11);
    const run = await startRun(admin, 'creation');
    const metadata = {
      environment: 'test',
      run: run.id,
      provider: run.providers[0]?.id ?? '',
      filename: 'größe.box',
      fingerprint: sha256(image),
    };
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    };
    const made = await admin.send('POST', '/api/uploads', { headers });
    expect([made.status, made.headers['location']]).toEqual([
      201,
      expect.stringMatching(/^\/api\/uploads\/pu_/),
    ]);
    const path = String(made.headers['location']);
    expect((await admin.send('DELETE', path, { headers: { 'tus-resumable': '1.0.0' } })).status).toBe(204);
    expect((await admin.send('HEAD', path, { headers: { 'tus-resumable': '1.0.0' } })).status).toBe(404);
    const bad = await admin.send('POST', '/api/uploads', { headers: { ...headers, 'upload-length': '-1' } });
    expect(bad.status).toBe(400);
  });

  test('expires when nothing comes for a week', async () => {
    const run = await startRun(admin, 'expires');
    const { path } = await beginUpload(admin, run, imageOf(1000));
    await patch(admin, path, 0, imageOf(500));
    boxes.server.clock.advance(7 * 24 * 3_600_000);
    await boxes.console.bff.upkeep();
    admin = await boxes.signedIn();
    expect((await readRun(admin, run.id)).providers[0]?.upload).toMatchObject({
      state: 'expired',
      retry: 'send',
    });
    const account = await admin.send('GET', `${boxesApi}/account`);
    expect(account.status).toBe(200);
  });
});
