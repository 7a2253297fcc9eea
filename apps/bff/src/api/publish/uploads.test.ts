import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesApi, startBoxes, type BoxesConsole } from '../../../test/boxes.ts';
import type { Browser } from '../../../test/browser.ts';
import {
  beginUpload,
  downloaded,
  imageOf,
  patch,
  picked,
  readRun,
  runsApi,
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
    expect(await downloaded(boxes, 'offsets')).toBe(sha256(image));
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
