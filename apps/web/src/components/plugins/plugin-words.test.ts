import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import { expect, test } from 'vitest';
import { othersWords } from './plugin-words.ts';

function plugin(name: string, version: string): PluginSummary {
  return {
    id: pluginIdOf({ type: 'secret', name, version }),
    type: 'secret',
    name,
    version,
    builtin: false,
    declarative: false,
    sha256: '',
    oci_image: '',
    runtime: '',
    deprecation_status: '',
    shadowed: false,
  };
}

test('compares a binary only with versions of its own plugin', () => {
  const [first, second, bare] = [plugin('mine', 'v1.0.0'), plugin('mine', 'v1.1.0'), plugin('mine', '')];
  const other = plugin('other', 'v1.0.0');
  const builtin = { ...plugin('mine', 'v2.0.0+builtin'), builtin: true };
  expect(othersWords([first], [first, other, builtin])).toBe('');
  expect(othersWords([first], [first, second, other])).toBe(
    'The other version, v1.1.0, has a different binary.',
  );
  expect(othersWords([first], [bare, first, second])).toBe(
    'The other versions have different binaries: secret/mine, v1.1.0.',
  );
  expect(othersWords([first, other], [first, second, other])).toBe(
    'The other version, secret/mine v1.1.0, has a different binary.',
  );
});
