import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pluginIdOf, pluginKeyOf, pluginTypes } from './plugin-values.ts';
import { newPlugin, sha256Of } from './plugins.ts';

const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('reads a hash from hex or base64, and refuses anything else', () => {
  expect(sha256Of(hash)).toBe(hash);
  expect(sha256Of(` SHA256:${hash.toUpperCase()} `)).toBe(hash);
  expect(sha256Of('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=')).toBe(hash);
  expect(sha256Of('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')).toBe(hash);
  expect(sha256Of(hash.slice(1))).toBeUndefined();
  expect(sha256Of('')).toBeUndefined();
});

test("parses a registration's text back to its type, name and version", () => {
  const key = fc.record({
    type: fc.constantFrom(...pluginTypes),
    name: fc.stringMatching(/^[\w.-]{1,20}$/),
    version: fc.constantFrom('', 'v1.2.3', 'v0.1.0-beta.1', 'v1.0.0+ent'),
  });
  fc.assert(
    fc.property(key, (one) => {
      expect(pluginKeyOf(pluginIdOf(one))).toEqual(one);
    }),
  );
  expect(pluginKeyOf('other/mine')).toBeUndefined();
  expect(pluginKeyOf('secret/')).toBeUndefined();
});

test('accepts a "v" and build metadata in plugin versions, but not the server\'s own metadata', () => {
  const plugin = {
    type: 'secret',
    name: 'mine',
    command: 'mine',
    sha256: hash,
    args: [],
    oci_image: '',
    runtime: '',
  };
  for (const version of ['', '1.2.3', 'v1.2.3-rc.1', 'v1.2.3+ent'])
    expect(newPlugin.safeParse({ ...plugin, version }).success, version).toBe(true);
  for (const version of ['1', 'x', 'v1.2.3+builtin.bao'])
    expect(newPlugin.safeParse({ ...plugin, version }).success, version).toBe(false);
});
