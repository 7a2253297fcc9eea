/** Which changes of boxes, and which publishing over existing records, require the password in production. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { picked, putImage, runIn, runsApi, shownRevision } from '#test/publish.ts';

let boxes: BoxesConsole;
let page: Browser;
const image = Buffer.from('an image that nobody can bring back');

beforeAll(async () => {
  boxes = await startBoxes({ kind: 'production' });
  page = await boxes.signedIn();
  await boxes.direct.post('/api/v1/boxes', { box: { username: 'admin', name: 'base', is_private: true } });
  await boxes.direct.post('/api/v1/box/admin/base/versions', { version: { version: '1.0.0' } });
  await boxes.direct.post('/api/v1/box/admin/base/version/1.0.0/providers', {
    provider: { name: 'libvirt' },
  });
  await putImage(boxes, 'base', image, 'libvirt');
});
afterAll(() => boxes[Symbol.asyncDispose]());

const asked = { code: 'confirmation-required', status: 403 };
const box = `${boxesApi}/owners/admin/boxes/base`;
const provider = `${box}/versions/1.0.0/providers/libvirt/unknown`;

async function change(path: string, body: object): Promise<BrowserAnswer> {
  const revision = String((await page.send('GET', path)).json['revision']);
  return page.send('PATCH', path, { revision, body });
}

test("making a box public requires the password, and changing its description doesn't", async () => {
  expect((await change(box, { short_description: 'A base' })).status).toBe(200);
  expect((await change(box, { is_private: true })).status).toBe(200);
  expect((await change(box, { is_private: false })).json).toMatchObject(asked);
});

test("replacing an image by an address requires the password, and a checksum doesn't", async () => {
  const url = 'https://images.example.com/other.box';
  expect((await change(provider, { checksum: 'a'.repeat(64), checksum_type: 'sha256' })).status).toBe(200);
  expect((await change(provider, { url })).json).toMatchObject(asked);
  expect((await page.send('GET', provider)).json).toMatchObject({ hosted: true });
});

test('publishing over an image requires the password before the image is replaced', async () => {
  const body = {
    box: { username: 'admin', name: 'base', create: null },
    version: { version: '1.0.0', description: '' },
    providers: ['libvirt', 'docker'].map((name) => ({
      name,
      source: { kind: 'image' },
      checksum: '',
      checksum_type: null,
    })),
  };
  const made = runIn(await page.send('POST', runsApi, { body }));
  const [libvirt, docker] = made.providers;
  const step = (path: string, existing: string, revision?: string) =>
    page.send('POST', `${runsApi}/${made.id}/${path}`, { body: { existing, revision } });
  for (const path of ['box', 'version', `providers/${docker?.id}`])
    expect((await step(path, 'use')).status).toBe(200);
  const revision = await shownRevision(page, `${runsApi}/${made.id}/providers/${libvirt?.id}`);
  expect((await step(`providers/${libvirt?.id}`, 'update', revision)).json).toMatchObject(asked);
  expect((await step(`providers/${libvirt?.id}`, 'use')).status).toBe(200);
  const picking = picked(Buffer.from('another'));
  const send = (id = '') =>
    page.send('POST', `${runsApi}/${made.id}/providers/${id}/upload`, { body: picking });
  expect((await send(libvirt?.id)).json).toMatchObject(asked);
  expect((await send(docker?.id)).status).toBe(200);
});

test('a run that makes a private box public requires the password', async () => {
  const body = {
    box: {
      username: 'admin',
      name: 'base',
      create: { short_description: 'x', description: '', is_private: false },
    },
    version: null,
    providers: [],
  };
  const run = await page.send('POST', runsApi, { body });
  expect(run.status, run.text).toBe(200);
  const path = `${runsApi}/${String(run.json['id'])}/box`;
  const revision = await shownRevision(page, path);
  const step = (existing: string) => page.send('POST', path, { body: { existing, revision } });
  expect((await step('update')).json).toMatchObject(asked);
  expect((await step('use')).status).toBe(200);
});
