/** Several architectures of one provider, at registries with version 2 of the API and with only version 1. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxAt, boxesApi, startBoxes, type BoxesConsole } from '#test/boxes.ts';
import type { Browser, BrowserAnswer } from '#test/browser.ts';
import { signInAs, startConsole } from '#test/console.ts';
import {
  beginUpload,
  imageOf,
  runIn,
  runsApi,
  sendAll,
  sha256,
  shownRevision,
  uploadIn,
  releaseRun,
} from '#test/publish.ts';
import { cloudPassword, startVagrantCloud } from '#test/vagrant-cloud.ts';

const codeOf = ({ status, json }: BrowserAnswer): unknown[] => [status, json['code']];
const revisionOf = ({ json }: BrowserAnswer): string => String(json['revision']);
const fieldsOf = (architecture: string, is_default: boolean, name = 'libvirt') => ({
  name,
  architecture,
  is_default,
  url: `https://images.example/${architecture}.box`,
  checksum: '',
  checksum_type: null,
});

/** Creates a box with a version. @returns the path of its providers */
async function createVersion(page: Browser, tag: string): Promise<string> {
  const [owner = '', name = ''] = tag.split('/');
  const body = { name, short_description: '', description: '', is_private: false };
  await page.send('POST', `${boxesApi}/owners/${owner}/boxes`, { body });
  await page.send('POST', boxAt(tag, '/versions'), { body: { version: '1.0.0', description: '' } });
  return boxAt(tag, '/versions/1.0.0/providers');
}

describe('a registry with architectures', () => {
  let boxes: BoxesConsole;
  let page: Browser;
  beforeAll(async () => {
    boxes = await startBoxes();
    page = await boxes.signedIn();
  });
  afterAll(() => boxes[Symbol.asyncDispose]());

  const stored = async (tag: string) =>
    (
      (await page.send('GET', boxAt(tag, '/versions/1.0.0'))).json['providers'] as Record<string, unknown>[]
    ).map(({ name, architecture, is_default }) => [name, architecture, is_default]);

  test('has one default for each provider, which can only be deleted last', async () => {
    const at = await createVersion(page, 'admin/many');
    for (const fields of [
      fieldsOf('amd64', false),
      fieldsOf('arm64', false),
      fieldsOf('arm64', true, 'qemu'),
    ])
      expect((await page.send('POST', at, { body: fields })).status).toBe(200);
    expect(await stored('admin/many')).toEqual([
      ['libvirt', 'amd64', true],
      ['libvirt', 'arm64', false],
      ['qemu', 'arm64', true],
    ]);
    const twice = await page.send('POST', at, { body: fieldsOf('ARM64', false) });
    expect(twice.json).toMatchObject({
      code: 'conflict',
      conflict: { reason: 'created', resource: { id: 'admin/many/1.0.0/libvirt/ARM64' } },
    });

    const first = await page.send('GET', `${at}/libvirt/amd64`);
    const refused = await page.send('DELETE', `${at}/libvirt/amd64`, { revision: revisionOf(first) });
    expect(refused.json).toMatchObject({
      code: 'invalid-request',
      detail:
        'amd64 is the default architecture of libvirt, which has other architectures. Make another architecture the default first.',
    });
    for (const [body, words] of [
      [{ is_default: false }, 'Make another architecture the default first.'],
      [{ name: 'virtualbox' }, 'Make another architecture the default first.'],
      [{ architecture: 'arm64' }, 'The version already has libvirt (arm64).'],
    ] as const) {
      const kept = await page.send('PATCH', `${at}/libvirt/amd64`, { revision: revisionOf(first), body });
      expect(kept.json).toMatchObject({
        code: 'invalid-request',
        detail: expect.stringContaining(words),
      });
    }
    const second = await page.send('GET', `${at}/libvirt/arm64`);
    const made = await page.send('PATCH', `${at}/libvirt/arm64`, {
      revision: revisionOf(second),
      body: { is_default: true },
    });
    expect(made.json).toMatchObject({ architecture: 'arm64', is_default: true });
    const stale = await page.send('DELETE', `${at}/libvirt/amd64`, { revision: revisionOf(first) });
    // It is no longer the default, and the user hasn't seen that.
    expect(codeOf(stale)).toEqual([409, 'conflict']);
    const seen = await page.send('GET', `${at}/libvirt/amd64`);
    const removed = await page.send('DELETE', `${at}/libvirt/amd64`, { revision: revisionOf(seen) });
    expect(removed.status).toBe(204);

    const moved = await page.send('PATCH', `${at}/libvirt/arm64`, {
      revision: revisionOf(made),
      body: { architecture: 'riscv64' },
    });
    expect(moved.json).toMatchObject({ architecture: 'riscv64', is_default: true });
    expect(codeOf(await page.send('GET', `${at}/libvirt/arm64`))).toEqual([404, 'not-found']);
    expect(codeOf(await page.send('GET', `${at}/libvirt/unknown`))).toEqual([404, 'not-found']);
  });

  test('finds boxes by architecture', async () => {
    const at = await createVersion(page, 'admin/found');
    for (const fields of [fieldsOf('amd64', true), fieldsOf('s390x', false)])
      await page.send('POST', at, { body: fields });
    const version = await page.send('GET', boxAt('admin/found', '/versions/1.0.0'));
    await page.send('POST', boxAt('admin/found', '/versions/1.0.0/release'), {
      revision: String(version.json['whole_revision']),
    });
    const search = async (query: string) => (await page.send('GET', `${boxesApi}/search?${query}`)).json;
    expect(await search('architecture=s390x')).toMatchObject({
      knows_architectures: true,
      boxes: [{ tag: 'admin/found', current_version: { providers: { length: 2 } } }],
    });
    expect(await search('architecture=mips')).toMatchObject({ boxes: [] });
    expect((await page.send('GET', `${boxesApi}/account`)).json).toMatchObject({ knows_architectures: true });
    expect((await page.send('GET', boxAt('admin/found'))).json).toMatchObject({ knows_architectures: true });
  });

  test('accepts images of one provider for several architectures in one run', async () => {
    const providers = ['amd64', 'arm64'].map((architecture) => ({
      name: 'libvirt',
      architecture,
      is_default: architecture === 'arm64',
      source: { kind: 'image' },
      checksum: '',
      checksum_type: null,
    }));
    const box = { short_description: '', description: '', is_private: false };
    const plan = {
      box: { username: 'admin', name: 'images', create: box },
      version: { version: '1.0.0', description: '' },
      providers,
    };
    const run = runIn(await page.send('POST', runsApi, { body: plan }));
    for (const step of ['box', 'version', ...run.providers.map(({ id }) => `providers/${id}`)])
      runIn(await page.send('POST', `${runsApi}/${run.id}/${step}`, { body: {} }));
    const images = [imageOf(120_000, 61), imageOf(130_000, 62)];
    for (const [at, image] of images.entries()) {
      await sendAll(page, (await beginUpload(page, run, image, at)).path, image);
      await uploadIn(page, run.id, ['done'], at);
    }
    const released = runIn(await releaseRun(page, run));
    expect(released).toMatchObject({ state: 'released', providers: [{ ready: true }, { ready: true }] });
    expect(released.log.map(({ text }) => text)).toContain('The provider libvirt (arm64) was created.');
    expect(await stored('admin/images')).toEqual([
      ['libvirt', 'arm64', true],
      ['libvirt', 'amd64', false],
    ]);
    for (const [at, { architecture }] of providers.entries()) {
      const ticket = await page.send(
        'POST',
        boxAt('admin/images', `/versions/1.0.0/providers/libvirt/${architecture}/download`),
      );
      expect(ticket.json).toMatchObject({ filename: `admin-images-1.0.0-libvirt-${architecture}.box` });
      const answer = await fetch(new URL(String(ticket.json['path']), boxes.console.origin), {
        headers: { cookie: page.cookie ?? '' },
      });
      expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(images[at] ?? Buffer.of()));
    }
    // Clients of version 1 get the default.
    const old = await boxes.direct.get('/api/v1/box/admin/images/version/1.0.0/provider/libvirt');
    expect(old.body['checksum']).toBe(sha256(images[1] ?? Buffer.of()));
  });

  test('lets a later run make another image the default', async () => {
    const at = await createVersion(page, 'admin/later');
    await page.send('POST', at, { body: fieldsOf('amd64', true) });
    const planned = (architecture: string, is_default: boolean) => ({
      name: 'libvirt',
      architecture,
      is_default,
      source: { kind: 'url', url: `https://images.example/${architecture}.box` },
      checksum: '',
      checksum_type: null,
    });
    const plan = (...providers: object[]) => ({
      box: { username: 'admin', name: 'later', create: null },
      version: { version: '1.0.0', description: '' },
      providers,
    });
    const save = (...providers: object[]) => page.send('POST', runsApi, { body: plan(...providers) });
    const collision = await save(planned('amd64', true), planned('AMD64', false));
    expect(collision.json).toMatchObject({
      code: 'invalid-request',
      fields: [{ path: 'providers', message: 'Two images have the same provider and architecture.' }],
    });
    const defaults = await save(planned('amd64', true), planned('arm64', true));
    expect(defaults.json).toMatchObject({
      fields: [{ message: 'One provider has two default architectures. Choose one.' }],
    });
    const run = runIn(await save(planned('amd64', false), planned('arm64', true)));
    for (const step of ['box', 'version', ...run.providers.map(({ id }) => `providers/${id}`)])
      runIn(await page.send('POST', `${runsApi}/${run.id}/${step}`, { body: {} }));
    expect(await stored('admin/later')).toEqual([
      ['libvirt', 'arm64', true],
      ['libvirt', 'amd64', false],
    ]);
    // An existing image that would become the default requires a decision first.
    const back = runIn(await save(planned('amd64', true)));
    for (const step of ['box', 'version'])
      await page.send('POST', `${runsApi}/${back.id}/${step}`, { body: {} });
    const provider = `${runsApi}/${back.id}/providers/${back.providers[0]?.id}`;
    const revision = await shownRevision(page, provider);
    runIn(await page.send('POST', provider, { body: { existing: 'update', revision } }));
    expect(await stored('admin/later')).toEqual([
      ['libvirt', 'amd64', true],
      ['libvirt', 'arm64', false],
    ]);
  });
});

test('a registry with only version 1 is asked for its version once, and is sent no architectures', async () => {
  await using cloud = await startVagrantCloud();
  const console = await startConsole({ boxes: { kind: 'url', url: new URL(cloud.url) } });
  const page = console.browser();
  await signInAs(page, 'ada', cloudPassword, 'boxes');
  const at = await createVersion(page, 'ada/old');
  const refused = await page.send('POST', at, { body: fieldsOf('arm64', true) });
  expect(refused.json).toMatchObject({
    code: 'invalid-request',
    detail: expect.stringContaining('version 1 of the box API'),
  });
  expect((await page.send('POST', at, { body: fieldsOf('unknown', true) })).status).toBe(200);
  const provider = await page.send('GET', `${at}/libvirt/unknown`);
  // A newer server reports an architecture anyway.
  expect(provider.json).toMatchObject({ architecture: 'amd64', is_default: true });
  expect((await page.send('GET', `${at}/libvirt/amd64`)).status).toBe(200);
  expect(codeOf(await page.send('GET', `${at}/libvirt/arm64`))).toEqual([404, 'not-found']);
  const changed = await page.send('PATCH', `${at}/libvirt/unknown`, {
    revision: revisionOf(provider),
    body: { architecture: 'arm64' },
  });
  expect(codeOf(changed)).toEqual([400, 'invalid-request']);
  expect(codeOf(await page.send('GET', `${boxesApi}/search?architecture=arm64`))).toEqual([
    400,
    'invalid-request',
  ]);
  expect((await page.send('GET', `${boxesApi}/search`)).json).toMatchObject({ knows_architectures: false });
  const sent = cloud.seen.filter(({ path }) => path.startsWith('/api/v2/'));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/v2/authenticate']);
  await console.close();
});
