import type { Plugin, PluginMount } from '@gatehouse/api-types/console/plugins';
import { expect, test } from 'vitest';
import { deletionImpacts } from './deletion-impacts.ts';

const mount = (path: string, running_version: string): PluginMount => ({
  path,
  type: 'secret',
  plugin: 'kv',
  description: '',
  configured_version: '',
  running_version,
  running_sha256: '',
});
const listed = {
  type: 'secret',
  name: 'kv',
  declarative: false,
  oci_image: '',
  runtime: '',
  deprecation_status: '',
} as const;
const registration = (version: string, mounts: PluginMount[] | null, pinned: string | null): Plugin => ({
  ...listed,
  id: `secret/kv@${version}`,
  version,
  builtin: false,
  sha256: '',
  revision: '1',
  command: 'kv',
  args: [],
  state: 'runs',
  state_reason: '',
  file: null,
  mounts,
  pinned_version: pinned,
  may: null,
});
const builtin = {
  ...listed,
  id: 'secret/kv@v0.1.0+builtin.x',
  version: 'v0.1.0+builtin.x',
  builtin: true,
  sha256: '',
  shadowed: true,
};
const catalog = { items: [builtin], mounts: null, pins: null };
const kinds = (...given: Parameters<typeof deletionImpacts>) =>
  deletionImpacts(...given).map(({ kind, text }) => `${kind}: ${typeof text === 'string' ? text : ''}`);

test('the mounts that break depend on whether a built-in plugin takes over', () => {
  const runs = mount('team', 'v1.0.0');
  expect(kinds(registration('v1.0.0', [runs], 'v1.0.0'), catalog)).toEqual([
    'breaks: team (runs v1.0.0) fails at its next reload, and when the server restarts.',
    'breaks: This version is pinned, so no mount of the plugin starts without it.',
  ]);
  expect(kinds(registration('', [runs, mount('old', builtin.version)], null), catalog)).toEqual([
    "breaks: From its next start, team (runs v1.0.0) runs the built-in plugin, which may not be able to read this plugin's data.",
    "updates-itself: old runs the built-in plugin and isn't affected.",
  ]);
  expect(kinds(registration('', null, null), undefined)).toEqual([
    expect.stringMatching(
      /^worth-knowing: Your policies don't let you list mounts, so which mounts use this plugin is unknown/,
    ),
  ]);
  expect(kinds({ ...registration('v1.0.0', [], null), type: 'database' }, catalog)).toEqual([
    expect.stringMatching(/^worth-knowing: Which database connections use this plugin is unknown/),
  ]);
});
