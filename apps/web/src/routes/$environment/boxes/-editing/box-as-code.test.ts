import { expect, test } from 'vitest';
import {
  boxChangesAsCode,
  newBoxAsCode,
  newOrganizationAsCode,
  newProviderAsCode,
  newVersionAsCode,
  organizationChangesAsCode,
  providerChangesAsCode,
  versionChangesAsCode,
} from './box-as-code.ts';

const box = { username: 'acme', name: 'base' };
const flat = (text: string | undefined): string => (text ?? '').replaceAll(/\s*\\\n\s*/g, ' ');

test('a box is created and edited with the CLI, and renamed only through the API', () => {
  const { cli, http } = newBoxAsCode('acme', {
    name: "o'box",
    short_description: 'Small; fast',
    description: '',
    is_private: false,
  });
  expect(flat(cli)).toBe(
    String.raw`vagrant cloud box create 'acme/o'\''box' --short-description 'Small; fast' --no-private`,
  );
  expect(http).toContain('"$VAGRANT_SERVER_URL/api/v1/boxes"');
  expect(flat(boxChangesAsCode(box, { is_private: true }).cli)).toBe(
    'vagrant cloud box update acme/base --private',
  );
  const renamed = boxChangesAsCode(box, { name: 'other' });
  expect(renamed.cli).toMatch(/^# The name can be changed only through the API/);
  expect(renamed.http).toContain('"name": "other"');
});

test('versions and providers have names encoded for URLs and quoted for the shell', () => {
  expect(flat(newVersionAsCode(box, { version: '', description: 'a $(b)' }).cli)).toBe(
    "vagrant cloud version create acme/base 1.0.0 --description 'a $(b)'",
  );
  const version = { ...box, username: 'ana@x.org', version: '1.2.0-beta' };
  expect(versionChangesAsCode(version, { description: 'x' }).http).toContain(
    '/api/v1/box/ana%40x.org/base/version/1.2.0-beta"',
  );
  const fields = {
    name: 'libvirt',
    architecture: 'arm64',
    is_default: true,
    url: 'https://x.org/a b.box',
    checksum: 'ab',
    checksum_type: 'sha256',
  } as const;
  expect(flat(newProviderAsCode(version, fields, false).cli)).toBe(
    "vagrant cloud provider create ana@x.org/base libvirt 1.2.0-beta 'https://x.org/a b.box' --checksum ab --checksum-type sha256",
  );
  const place = { ...version, provider: 'libvirt', architecture: 'arm64' };
  const changed = providerChangesAsCode(place, { url: '' }, false);
  expect(flat(changed.cli)).toBe('vagrant cloud provider update ana@x.org/base libvirt 1.2.0-beta');
  expect(changed.http).toContain('/provider/libvirt"');
});

test('architectures are sent through version 2 of the API, if the registry supports them', () => {
  const version = { ...box, version: '1.2.0' };
  const fields = {
    name: 'libvirt',
    architecture: 'arm64',
    is_default: true,
    url: '',
    checksum: '',
    checksum_type: null,
  };
  const made = newProviderAsCode(version, fields, true);
  expect(flat(made.cli)).toBe(
    'vagrant cloud provider create acme/base libvirt 1.2.0 --architecture arm64 --default-architecture',
  );
  expect(made.http).toContain('/api/v2/box/acme/base/version/1.2.0/providers"');
  expect(made.http).toContain('"default_architecture": true');
  const place = { ...version, provider: 'libvirt', architecture: 'arm64' };
  const renamed = providerChangesAsCode(place, { architecture: 'amd64' }, true);
  expect(flat(renamed.cli)).toBe(
    'vagrant cloud provider update acme/base libvirt 1.2.0 arm64 --architecture amd64',
  );
  expect(renamed.http).toContain('/provider/libvirt/arm64"');
  expect(newProviderAsCode(version, fields, false).http).not.toContain('architecture');
});

test('organizations have no CLI command', () => {
  expect(newOrganizationAsCode({ username: 'acme', profile: '' })).toEqual({
    http: expect.stringContaining('"$VAGRANT_SERVER_URL/api/v1/organizations"') as string,
  });
  expect(organizationChangesAsCode('acme', { profile: 'Us' }).http).toContain('"profile_markdown": "Us"');
});
