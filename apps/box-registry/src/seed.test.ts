import { expect, test } from 'vitest';
import { startServer } from './testing/server.ts';

test('an empty registry is empty; a seed fills it once', async () => {
  await using empty = await startServer();
  expect((await empty.anonymous.get('/api/v1/search')).body).toEqual({ boxes: [] });

  const image = Buffer.from('image');
  await using server = await startServer({
    seed: [
      {
        name: 'acme',
        members: [
          { loginName: 'operator', role: 'publisher' },
          { loginName: 'stranger', role: 'reader' },
        ],
        boxes: [
          {
            name: 'base',
            versions: [
              {
                version: '1.0',
                status: 'revoked',
                providers: [{ name: 'libvirt', url: 'https://example.com/a' }],
              },
              {
                version: '1.1',
                providers: [
                  { name: 'libvirt', image },
                  { name: 'libvirt', architecture: 'arm64', image: Buffer.from('arm64') },
                ],
              },
              { version: '2.0', status: 'unreleased', providers: [] },
            ],
          },
        ],
      },
    ],
  });
  await server.restart();
  const operator = await server.as('operator');
  expect((await operator.get('/api/v1/organizations')).body).toMatchObject({
    organizations: [{ username: 'acme', actions: ['read', 'publish'] }],
  });
  const { versions } = (await operator.get('/api/v1/box/acme/base')).body as {
    versions: { status: string }[];
  };
  expect(versions.map(({ status }) => status)).toEqual(['unreleased', 'active', 'revoked']);
  const fetched = await server.anonymous.get('/acme/boxes/base/versions/1.1/providers/libvirt.box');
  expect(fetched.text).toBe('image');
  const arm64 = '/acme/boxes/base/versions/1.1/providers/libvirt/arm64/vagrant.box';
  expect((await server.anonymous.get(arm64)).text).toBe('arm64');
});
