import { expect, test } from 'vitest';
import { clusterListener } from './cluster-listener.ts';

test('listens on loopback, or on all interfaces if an address is set', () => {
  expect(clusterListener({})).toEqual({ host: '127.0.0.1', port: 8201 });
  expect(
    clusterListener({ GATEHOUSE_SECRETS_CLUSTER_PORT: '0', GATEHOUSE_SECRETS_CLUSTER_ADDR: '' }),
  ).toEqual({
    host: '127.0.0.1',
    port: 0,
  });
  expect(clusterListener({ GATEHOUSE_SECRETS_CLUSTER_ADDR: '[2001:db8::1]:443' })).toEqual({
    host: '0.0.0.0',
    port: 8201,
    address: '[2001:db8::1]:443',
  });
});

test.each([
  ['GATEHOUSE_SECRETS_CLUSTER_PORT', '65536'],
  ['GATEHOUSE_SECRETS_CLUSTER_PORT', '82o1'],
  ['GATEHOUSE_SECRETS_CLUSTER_ADDR', 'vault.example'],
  ['GATEHOUSE_SECRETS_CLUSTER_ADDR', 'vault.example:0'],
  ['GATEHOUSE_SECRETS_CLUSTER_ADDR', 'https://vault.example:8201'],
])('refuses %s=%s', (name, value) => {
  expect(() => clusterListener({ [name]: value })).toThrow(`${name} is "${value}"; it must be a`);
});
