import { expect, test } from 'vitest';
import { pluginAsCode, pluginStanza } from './plugin-as-code.ts';

const hex = '0f'.repeat(32);
const fields = {
  sha256: hex,
  command: 'mine',
  args: ['--level=a b', "it's"],
  env: ['TOKEN=canary-7Qz', 'A=b=c'],
  oci_image: '',
  runtime: '',
};
const key = { type: 'secret', name: 'mine', version: 'v1.2.3' } as const;

test('writes a registration as a command, a request and a Terraform block', () => {
  const code = pluginAsCode(key, fields);
  expect(code.cli).toBe(
    [
      'vault plugin register',
      '-version=v1.2.3',
      `-sha256=${hex}`,
      '-command=mine',
      "-args='--level=a b'",
      String.raw`-args='it'\''s'`,
      '-env="TOKEN=$TOKEN"',
      '-env="A=$A"',
      'secret mine',
    ].join(' \\\n  '),
  );
  expect(code.http).toContain('--request POST "$VAULT_ADDR/v1/sys/plugins/catalog/secret/mine"');
  expect(code.terraform).toContain('resource "vault_plugin" "mine" {');
});

test('environment values are never included', () => {
  expect(Object.values(pluginAsCode(key, fields)).join('\n')).not.toMatch(/canary-7Qz|b=c/);
});

test('a declarative plugin is written as its block in the configuration file', () => {
  expect(pluginStanza({ ...key, ...fields, args: [], oci_image: 'ghcr.io/acme/mine' })).toBe(
    [
      'plugin "secret" "mine" {',
      '  image       = "ghcr.io/acme/mine"',
      '  version     = "v1.2.3"',
      '  binary_name = "mine"',
      `  sha256sum   = "${hex}"`,
      '}',
    ].join('\n'),
  );
});
