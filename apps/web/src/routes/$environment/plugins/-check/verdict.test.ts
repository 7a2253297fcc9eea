import { sha256Of } from '@gatehouse/api-types/console/plugins';
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandOf, draftOf, typeIn, verdictOn, versionIn } from './verdict.ts';

const plugin = (name: string, sha256: string): PluginSummary => ({
  id: `secret/${name}`,
  type: 'secret',
  name,
  version: '',
  builtin: false,
  declarative: false,
  sha256,
  oci_image: '',
  runtime: '',
  deprecation_status: '',
  shadowed: false,
});
const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
const items = [plugin('aws', one), { ...plugin('kv', ''), builtin: true }];

test('a binary is registered, has a registered name with another hash, or is unknown', () => {
  expect(verdictOn({ name: 'anything', sha256: one }, items)).toEqual({
    kind: 'registered',
    plugins: [items[0]],
  });
  for (const name of [
    'aws',
    'vault-plugin-secrets-aws',
    'vault-plugin-secrets-aws_1.2.0_linux_amd64',
    'AWS.exe',
  ])
    expect(verdictOn({ name, sha256: other }, items)).toEqual({ kind: 'differs', plugins: [items[0]] });
  // Built-in plugins have no binary, and a typed hash has no name.
  for (const name of ['kv', 'jaws', '']) {
    expect(verdictOn({ name, sha256: other }, items)).toEqual({ kind: 'not-registered' });
  }
});

test('reads the command, version and type from release file names', () => {
  expect(commandOf('vault-plugin-secrets-aws_v1.2.0_linux_amd64')).toBe('vault-plugin-secrets-aws');
  expect(commandOf('openbao-plugin-auth-gcp-linux-arm64')).toBe('openbao-plugin-auth-gcp');
  expect(commandOf('mine.exe')).toBe('mine');
  expect(versionIn('vault-plugin-secrets-aws_1.2.0_linux_amd64')).toBe('v1.2.0');
  expect(versionIn('vault-plugin-secrets-aws')).toBeUndefined();
  expect(typeIn('vault-plugin-secrets-aws')).toBe('secret');
  expect(typeIn('vault-plugin-auth-gcp')).toBe('auth');
  expect(typeIn('mysql-database-plugin')).toBe('database');
  expect(typeIn('author')).toBeUndefined();
});

test("a registration starts with the file's details, or with only a typed hash", () => {
  expect(draftOf({ name: 'vault-plugin-auth-x_v1.2.0_linux_amd64', sha256: one })).toEqual({
    type: 'auth',
    name: 'vault-plugin-auth-x',
    version: 'v1.2.0',
    sha256: one,
    command: 'vault-plugin-auth-x_v1.2.0_linux_amd64',
  });
  expect(draftOf({ name: '', sha256: one })).toEqual({ sha256: one });
});

test('accepts a hash in hex or base64', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      const base64 = btoa(String.fromCharCode(...bytes));
      const written = [hex, hex.toUpperCase(), ` sha256:${hex}`, base64, base64.replace('=', '')];
      for (const text of written) expect(sha256Of(text)).toBe(hex);
    }),
  );
});
