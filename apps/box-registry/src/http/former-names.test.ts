import { silentLog } from '@gatehouse/service-kit/log';
import type { Client } from '@gatehouse/service-kit/testing/client';
import { expect, test } from 'vitest';
import { createProvider } from '../testing/publishing.ts';
import { startServer, testPassword, type TestServer } from '../testing/server.ts';

/** A registry where operators may create organizations, and the name of `mateus`, who has a released box. */
async function publish(server: TestServer) {
  const admin = await server.as('administrator');
  await admin.put('/api/v1/settings', { organization_creators: 'operators' });
  for (const loginName of ['mateus', 'other'])
    await server.accounts.create({ loginName, password: testPassword, roles: { boxes: 'operator' } });
  const mateus = await server.signIn('mateus');
  await release(mateus, 'mateus');
  return { admin, mateus, other: await server.signIn('other') };
}

async function release(client: Client, owner: string): Promise<string> {
  const { box, version } = await createProvider(client, 'web', { url: 'https://example.com/web.box' }, owner);
  expect((await client.put(`${version}/release`)).status).toBe(200);
  return box;
}

async function rename(server: TestServer, loginName: string, to: string): Promise<void> {
  const { id = '', version = 0 } = server.accounts.getByLoginName(loginName) ?? {};
  await server.accounts.update(id, version, { loginName: to });
}

const statusOf = async (server: TestServer, owner: string): Promise<number> =>
  (await server.anonymous.get(`/${owner}/web`)).status;

const organize = (client: Client, username: string) =>
  client.post('/api/v1/organizations', { organization: { username } });

test("keeps a renamed user's former names for them, and for administrators", async () => {
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (...given: unknown[]) => void warned.push(given) };
  await using server = await startServer({ log });
  const { admin, other } = await publish(server);
  await rename(server, 'mateus', 'mateus.l');
  await expect.poll(() => statusOf(server, 'mateus.l')).toBe(200);
  await rename(server, 'mateus.l', 'mateus.x');
  await expect.poll(() => statusOf(server, 'mateus.x')).toBe(200);

  // For others: neither as an organization's name, nor by a rename, nor as a new user.
  for (const name of ['mateus', 'MATEUS', 'mateus.l']) {
    const { status, body } = await organize(other, name);
    expect([status, body['errors']]).toEqual([422, [expect.stringContaining(`${name} is a former owner's`)]]);
  }
  await other.post('/api/v1/boxes', { name: 'own' });
  await rename(server, 'other', 'mateus');
  // Changes of accounts are applied one after the other.
  await rename(server, 'mateus.x', 'mateus.y');
  await expect.poll(() => statusOf(server, 'mateus.y')).toBe(200);
  expect((await other.get('/api/v1/box/other/own')).status).toBe(200);
  await rename(server, 'mateus', 'other');
  await server.accounts.create({ loginName: 'mateus', password: testPassword, roles: { boxes: 'operator' } });
  const namesake = await server.signIn('mateus');
  expect((await namesake.post('/api/v1/boxes', { name: 'web' })).status).toBe(422);
  expect(await statusOf(server, 'mateus')).toBe(404);

  // For an administrator, and for the user.
  expect(warned).toEqual([]);
  expect((await admin.post('/api/v1/boxes', { username: 'mateus', name: 'any' })).status).toBe(200);
  expect(warned).toEqual([["a former owner's name is used again", expect.anything()]]);
  await rename(server, 'mateus.y', 'mateus.l');
  await expect.poll(() => statusOf(server, 'mateus.l')).toBe(200);
});

test('keeps the name of a deleted organization that had a released version, though its boxes are deleted', async () => {
  await using server = await startServer();
  const { admin, other } = await publish(server);
  const acme = '/api/v1/organizations/acme';
  expect((await organize(other, 'acme')).status).toBe(200);
  expect((await other.delete(acme)).status).toBe(200);
  expect((await organize(other, 'acme')).status).toBe(200);
  await other.delete(await release(other, 'acme'));
  expect((await other.delete(acme)).status).toBe(200);
  expect((await organize(other, 'acme')).status).toBe(422);
  expect((await organize(admin, 'acme')).status).toBe(200);
});

test('gives a name to the user it belongs to as soon as it is free', async () => {
  await using server = await startServer();
  const { admin } = await publish(server);
  await rename(server, 'mateus', 'mateus.l');
  await expect.poll(() => statusOf(server, 'mateus.l')).toBe(200);
  expect((await organize(admin, 'mateus')).status).toBe(200);
  await rename(server, 'mateus.l', 'mateus');
  await admin.delete('/api/v1/organizations/mateus');
  await expect.poll(() => statusOf(server, 'mateus')).toBe(200);
  expect(await statusOf(server, 'mateus.l')).toBe(404);
});
