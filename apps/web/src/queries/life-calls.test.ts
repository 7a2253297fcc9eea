// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import type { Decided, Guard } from '#lib/api.ts';
import { targets } from './access.ts';
import { organizations, registrySettings } from './box-accounts.ts';
import { boxes, boxProviders, boxVersions } from './box-changes.ts';
import { hostSets, hostsOfSets } from './host-sources.ts';
import { people } from './people.ts';
import { metadataOfSecrets, secretEngines } from './secret-metadata.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const box = { username: 'acme', name: 'base' };
const version = { environment: 'e', ...box, version: '1.0.0' };
const secret = { mount: 'kv', path: 'db' };

const updates: Readonly<Record<string, (guard: Guard) => Promise<unknown> | undefined>> = {
  target: (guard) => targets.update('e', 't', guard, {}),
  person: (guard) => people.update('e', 'u', guard, {}),
  'host set': (guard) => hostSets.update('e', 's', guard, {}),
  'hosts of a set': (guard) => hostsOfSets.update?.('e', 's', guard, { before: [], after: ['h'] }),
  box: (guard) => boxes.update?.('e', box, guard, {}),
  version: (guard) => boxVersions(version).update?.('e', '1.0.0', guard, {}),
  provider: (guard) =>
    boxProviders(version).update?.('e', { provider: 'qemu', architecture: 'arm64' }, guard, {}),
  organization: (guard) => organizations.update?.('e', 'acme', guard, { profile: '' }),
  'settings of the registry': (guard) =>
    registrySettings.update?.('e', null, guard, { organization_creators: 'operators' }),
  'settings of an engine': (guard) =>
    secretEngines.update?.('e', 'kv', guard, {
      max_versions: 1,
      cas_required: true,
      delete_version_after: '0s',
    }),
  'changes of metadata': (guard) =>
    metadataOfSecrets.update?.('e', secret, guard, { mode: 'patch', changes: {} }),
  'metadata as a whole': (guard) =>
    metadataOfSecrets.update?.('e', secret, guard, {
      mode: 'whole',
      fields: { max_versions: 1, cas_required: true, delete_version_after: '0s', custom_metadata: {} },
    }),
};

const creations: Readonly<Record<string, (decided: Decided) => Promise<unknown> | undefined>> = {
  target: (decided) => targets.create('e', { scope_id: 'p_1', type: 'tcp', name: 'db' }, decided),
  box: (decided) =>
    boxes.create?.(
      'e',
      {
        username: 'acme',
        fields: { name: 'base', short_description: '', description: '', is_private: false },
      },
      decided,
    ),
  version: (decided) => boxVersions(version).create?.('e', { version: '2.0.0', description: '' }, decided),
  provider: (decided) =>
    boxProviders(version).create?.(
      'e',
      { name: 'qemu', architecture: 'arm64', is_default: true, url: '', checksum: '', checksum_type: null },
      decided,
    ),
  organization: (decided) => organizations.create?.('e', { username: 'acme', profile: '' }, decided),
};

/** The request headers with a write's decisions, and with the revision that guards it. */
async function headersOf(write: () => Promise<unknown> | undefined): Promise<readonly (string | null)[]> {
  const sent: (string | null)[] = [];
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: HeadersInit }) => {
    const all = new Headers(headers);
    sent.push(all.get('x-gatehouse-decisions'), all.get('if-match'));
    return Promise.resolve(Response.json({}));
  });
  await write();
  return sent;
}

test.each(Object.entries(updates))(
  '%s: an update sends its revision and its decisions',
  async (_, update) => {
    expect(await headersOf(() => update({ revision: '7', decisions: 'mine' }))).toEqual(['mine', '"7"']);
  },
);

test.each(Object.entries(creations))('%s: recreating a record sends that decision', async (_, create) => {
  expect(await headersOf(() => create({ decisions: 'recreate' }))).toEqual(['recreate', null]);
});
