import type { Client, Wire } from '@gatehouse/service-kit/testing/client';
import { expect, test } from 'vitest';
import { send } from '../testing/publishing.ts';
import { startServer } from '../testing/server.ts';
import type { TestServer } from '../testing/server.ts';

const box = '/api/v2/box/admin/deb';
const version = `${box}/version/1.0`;
const former = version.replace('v2', 'v1');
const providers = `${version}/providers`;
const libvirt = `${version}/provider/libvirt`;

async function withVersion(server: TestServer): Promise<Client> {
  const admin = await server.as('administrator');
  await admin.post('/api/v2/boxes', { name: 'deb', is_private: false });
  await admin.post(`${box}/versions`, { version: '1.0' });
  return admin;
}

/** Creates architectures of `libvirt`, the first one as the default. Each image contains its architecture's name. */
async function publish(admin: Client, ...architectures: readonly string[]): Promise<void> {
  for (const architecture of architectures) {
    await admin.post(providers, { provider: { name: 'libvirt', architecture } });
    const { body } = await admin.get(`${libvirt}/${architecture}/upload`);
    expect((await send(String(body['upload_path']), Buffer.from(`of ${architecture}`))).status).toBe(200);
  }
  expect((await admin.put(`${version}/release`)).status).toBe(200);
}

test('keeps exactly one default architecture per name, and refuses changes that would leave none', async () => {
  await using server = await startServer();
  const admin = await withVersion(server);
  const url = 'https://example.com/a.box';
  const errorsOf = async (answer: ReturnType<Client['get']>): Promise<unknown> => {
    const { status, body } = await answer;
    return status === 422 ? body['errors'] : status;
  };
  const defaults = async (): Promise<unknown> =>
    ((await admin.get(version)).body['providers'] as Wire[])
      .filter((one) => one['default_architecture'] === true)
      .map((one) => `${String(one['name'])} ${String(one['architecture'])}`);
  const post = (fields: Wire) => admin.post(providers, { provider: { name: 'libvirt', url, ...fields } });

  const first = await post({ architecture: 'amd64', default_architecture: false });
  expect(first.body).toMatchObject({ architecture: 'amd64', default_architecture: true });
  expect((await post({ architecture: 'arm64' })).body).toMatchObject({ default_architecture: false });
  expect((await post({})).body).toMatchObject({ architecture: 'unknown', default_architecture: false });
  for (const architecture of ['AMD64', 'arm64', 'unknown'])
    expect(await errorsOf(post({ architecture }))).toEqual(['Metadata provider must be unique for version']);
  for (const architecture of ['', '..', 'a/b', '-a', 'a b', 'x'.repeat(101), 7])
    expect(await errorsOf(post({ architecture }))).toEqual([expect.stringMatching(/^Architecture /)]);
  expect(await errorsOf(post({ architecture: 'arm', default_architecture: 'perhaps' }))).toEqual([
    'Default architecture must be true or false',
  ]);
  const because =
    "it's the default architecture of libvirt, which has others. Make another one the default first";
  expect(await errorsOf(admin.delete(`${libvirt}/amd64`))).toEqual([`amd64 can't be deleted: ${because}`]);
  expect(await errorsOf(admin.delete(`${former}/provider/libvirt`))).toEqual([
    `amd64 can't be deleted: ${because}`,
  ]);
  expect(await errorsOf(admin.put(`${libvirt}/amd64`, { name: 'qemu' }))).toEqual([
    `amd64 can't move to another provider: ${because}`,
  ]);
  expect(await errorsOf(admin.put(`${libvirt}/amd64`, { default_architecture: false }))).toEqual([
    `amd64 must stay the default: ${because}`,
  ]);
  expect(
    await errorsOf(admin.put(`${libvirt}/arm64`, { architecture: 'amd64', default_architecture: true })),
  ).toEqual(['Metadata provider must be unique for version']);
  expect(await defaults()).toEqual(['libvirt amd64']);

  server.clock.advance(1000);
  expect((await admin.put(`${libvirt}/arm64`, { default_architecture: true })).status).toBe(200);
  expect(await defaults()).toEqual(['libvirt arm64']);
  expect((await admin.get(`${libvirt}/amd64`)).body).toMatchObject({
    updated_at: '2026-01-01T00:00:01.000Z',
  });
  expect((await post({ architecture: 'riscv64', default_architecture: true })).status).toBe(200);
  expect(await defaults()).toEqual(['libvirt riscv64']);
  // Under another name the provider is the first one, and so the default; after moving back it is one of several.
  expect((await admin.put(`${libvirt}/amd64`, { name: 'qemu' })).body).toMatchObject({
    default_architecture: true,
  });
  expect((await admin.put(`${version}/provider/qemu/amd64`, { name: 'libvirt' })).body).toMatchObject({
    default_architecture: false,
  });
  expect(await defaults()).toEqual(['libvirt riscv64']);
  for (const architecture of ['amd64', 'arm64', 'unknown', 'riscv64'])
    expect((await admin.delete(`${libvirt}/${architecture}`)).status).toBe(200);
  expect(await defaults()).toEqual([]);
});

test("version 1 sees only the default of each name, and can't change architectures", async () => {
  await using server = await startServer();
  const admin = await withVersion(server);
  await publish(admin, 'amd64', 'arm64');
  const seen = { name: 'libvirt', architecture: 'amd64', default_architecture: true };
  const box1 = box.replace('v2', 'v1');
  expect((await admin.get(box1)).body).toMatchObject({
    current_version: { providers: [seen], release_url: `${server.url}${former}/release` },
    versions: [{ providers: [seen] }],
  });
  expect((await admin.get(former)).body['providers']).toHaveLength(1);
  expect((await admin.get('/api/v1/search')).body['boxes']).toMatchObject([
    { current_version: { providers: [seen] } },
  ]);
  expect((await admin.get(`${former}/provider/libvirt`)).body).toMatchObject(seen);
  expect((await admin.post(`${former}/providers`, { name: 'libvirt' })).body['errors']).toEqual([
    'Metadata provider must be unique for version',
  ]);
  const made = await admin.post(`${former}/providers`, {
    provider: { name: 'qemu', architecture: 'arm64', default_architecture: false },
  });
  expect(made.body).toMatchObject({ name: 'qemu', architecture: 'unknown', default_architecture: true });
  expect((await admin.put(`${former}/provider/qemu`, { name: 'libvirt' })).status).toBe(422);
  expect(
    (await admin.put(`${former}/provider/qemu`, { name: 'kvm', architecture: 'arm64' })).body,
  ).toMatchObject({ name: 'kvm', architecture: 'unknown' });
  expect((await admin.put(`${former}/provider/kvm`, { architecture: 'arm64' })).body['errors']).toEqual([
    'provider parameter is required!',
  ]);
  expect((await admin.delete(`${former}/provider/kvm`)).status).toBe(200);
});

test('finds boxes by architecture, and by provider and architecture of the same image', async () => {
  await using server = await startServer();
  const admin = await withVersion(server);
  await publish(admin, 'amd64', 'arm64');
  await admin.post(providers, { name: 'qemu', architecture: 'riscv64', url: 'https://example.com/a' });
  const found = async (query: string): Promise<unknown> =>
    ((await server.anonymous.get(`/api/${query}`)).body['boxes'] as unknown[]).length;
  expect(await found('v2/search?architecture=ARM64')).toBe(1);
  expect(await found('v2/search?architecture=arm64&provider=libvirt')).toBe(1);
  expect(await found('v2/search?architecture=riscv64&provider=libvirt')).toBe(0);
  expect(await found('v2/search?architecture=s390x')).toBe(0);
  expect(await found('v2/search?architecture=')).toBe(1);
  expect(await found('v1/search?architecture=s390x')).toBe(1);
});

interface Listed {
  readonly name: string;
  readonly url: string;
  readonly architecture: string;
  readonly default_architecture: boolean;
}

/** The provider that a current client chooses. Source: vagrant 2.4, `lib/vagrant/box_metadata.rb`. */
function pick(all: readonly Listed[], asked: string | undefined, machine: string): Listed | undefined {
  const named = all.filter((one) => one.name === 'libvirt');
  const wanted = asked === 'auto' ? machine : asked;
  const exact = named.find((one) => one.architecture === wanted);
  if (wanted !== undefined && (exact !== undefined || asked !== 'auto')) return exact;
  return named.find(
    (one) => one.default_architecture && (asked !== 'auto' || one.architecture === 'unknown'),
  );
}

/**
 * The provider that a client without architectures chooses: the last one of the name. Source: vagrant 2.3, the same
 * file.
 */
function pickFormer(all: readonly Listed[]): Listed | undefined {
  return all.findLast((one) => one.name === 'libvirt');
}

test.each([
  { made: ['amd64', 'arm64'], picks: ['amd64', 'arm64', undefined, 'arm64', undefined, 'amd64'] },
  { made: ['arm64', 'amd64'], picks: ['amd64', 'arm64', undefined, 'arm64', undefined, 'arm64'] },
  { made: ['unknown'], picks: ['unknown', 'unknown', 'unknown', undefined, undefined, 'unknown'] },
  { made: ['unknown', 'arm64'], picks: ['unknown', 'arm64', 'unknown', 'arm64', undefined, 'unknown'] },
  { made: ['amd64', 'unknown'], picks: ['amd64', undefined, undefined, undefined, undefined, 'amd64'] },
])('the metadata of $made gives every client its image', async ({ made, picks }) => {
  await using server = await startServer();
  await publish(await withVersion(server), ...made);
  const { body } = await server.anonymous.get('/api/v2/vagrant/admin/deb');
  const [{ providers: listed } = { providers: [] }] = body['versions'] as { providers: Listed[] }[];
  expect(listed).toHaveLength(made.length);
  for (const one of listed) {
    expect(typeof one.architecture).toBe('string');
    expect(typeof one.default_architecture).toBe('boolean');
  }
  const images = [
    pick(listed, 'auto', 'amd64'),
    pick(listed, 'auto', 'arm64'),
    pick(listed, 'auto', 'riscv64'),
    pick(listed, 'arm64', 'amd64'),
    pick(listed, 's390x', 'amd64'),
    pick(listed, undefined, 'amd64'),
    pickFormer(listed),
  ];
  const texts: unknown[] = [];
  for (const one of images) texts.push(one && (await (await fetch(one.url)).text()));
  // Clients that name no architecture, or know none, get the default.
  expect(texts).toEqual([...picks, made[0]].map((name) => name && `of ${name}`));
});

test('serves each architecture at its own URL, with ranges and a download count, and the default at the former URL', async () => {
  await using server = await startServer();
  const admin = await withVersion(server);
  await publish(admin, 'amd64', 'arm64');
  const folder = `${server.url}/admin/boxes/deb/versions/1.0/providers`;
  const arm64 = `${folder}/libvirt/arm64/vagrant.box`;
  const addresses = ((await admin.get(version)).body['providers'] as Wire[]).map(
    (one) => one['download_url'],
  );
  expect(addresses).toEqual([`${folder}/libvirt.box`, arm64]);

  const head = await fetch(arm64, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '8']);
  const rest = await fetch(arm64, { headers: { range: 'bytes=3-' } });
  expect([rest.status, await rest.text()]).toEqual([206, 'arm64']);
  expect(await (await fetch(arm64)).text()).toBe('of arm64');
  expect(await (await fetch(`${folder}/libvirt/amd64/vagrant.box`)).text()).toBe('of amd64');
  expect(await (await fetch(`${folder}/libvirt.box`)).text()).toBe('of amd64');
  expect((await fetch(`${folder}/libvirt/s390x/vagrant.box`)).status).toBe(404);
  const counts = ((await admin.get(version)).body['providers'] as Wire[]).map((one) => one['downloads']);
  expect(counts).toEqual([2, 1]);
  expect((await admin.get(box)).body['downloads']).toBe(3);

  await admin.put(`${libvirt}/arm64`, { default_architecture: true });
  expect(await (await fetch(`${folder}/libvirt.box`)).text()).toBe('of arm64');
  await admin.put(box, { is_private: true });
  expect((await fetch(arm64)).status).toBe(404);
});
