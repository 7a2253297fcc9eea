import type { Box, BoxVersion, Provider } from '@gatehouse/api-types/console/boxes';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { boxProviders, boxVersions } from './box-changes.ts';
import { boxQuery } from './boxes.ts';
import { forgetRecord, keepRecord } from './record-life.ts';

const place = { environment: 'local', username: 'acme', name: 'base' };
// Only the fields that locate a part matter here.
const provider = (name: string) => ({ name }) as Provider;
const version = (number: string, ...providers: string[]) =>
  ({ version: number, providers: providers.map(provider) }) as BoxVersion;

function kept(...versions: BoxVersion[]) {
  const client = new QueryClient();
  client.setQueryData(boxQuery(place).queryKey, { username: 'acme', name: 'base', versions } as Box);
  const parts = (): readonly string[] =>
    (client.getQueryData(boxQuery(place).queryKey)?.versions ?? []).map((item) =>
      `${item.version}: ${item.providers.map(({ name }) => name).join(' ')}`.trimEnd(),
    );
  return { client, parts };
}

test('a written version is stored in its box, and replaces the one with its previous number', () => {
  const { client, parts } = kept(version('1.0.0'));
  const calls = boxVersions(place);
  keepRecord(client, calls, 'local', version('2.0.0'));
  expect(parts()).toEqual(['2.0.0:', '1.0.0:']);
  keepRecord(client, calls, 'local', version('3.0.0'), '1.0.0');
  expect(parts()).toEqual(['3.0.0:', '2.0.0:']);
  forgetRecord(client, calls, 'local', '3.0.0');
  expect(parts()).toEqual(['2.0.0:']);
});

test('a written provider is stored only in its version', () => {
  const { client, parts } = kept(version('2.0.0', 'qemu'), version('1.0.0', 'qemu'));
  const calls = boxProviders({ ...place, version: '1.0.0' });
  keepRecord(client, calls, 'local', provider('docker'));
  keepRecord(client, calls, 'local', provider('libvirt'), { provider: 'qemu', architecture: 'unknown' });
  expect(parts()).toEqual(['2.0.0: qemu', '1.0.0: docker libvirt']);
  forgetRecord(client, calls, 'local', { provider: 'docker', architecture: 'unknown' });
  expect(parts()).toEqual(['2.0.0: qemu', '1.0.0: libvirt']);
});

test('a provider may have several architectures, of which one is the default', () => {
  const image = (architecture: string, is_default: boolean) =>
    ({ name: 'qemu', architecture, is_default }) as Provider;
  const first = { version: '1.0.0', providers: [image('amd64', true)] };
  const { client } = kept(first as BoxVersion);
  const calls = boxProviders({ ...place, version: '1.0.0' });
  keepRecord(client, calls, 'local', image('arm64', true));
  const stored = () =>
    client
      .getQueryData(boxQuery(place).queryKey)
      ?.versions[0]?.providers.map(({ architecture, is_default }) => [architecture, is_default]);
  expect(stored()).toEqual([
    ['arm64', true],
    ['amd64', false],
  ]);
  forgetRecord(client, calls, 'local', { provider: 'qemu', architecture: 'amd64' });
  expect(stored()).toEqual([['arm64', true]]);
});
