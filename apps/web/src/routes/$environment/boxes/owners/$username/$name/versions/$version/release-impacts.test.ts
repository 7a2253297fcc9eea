import { expect, test } from 'vitest';
import { releaseImpacts } from './release-impacts.ts';
import { reasonAgainstReleasing, reasonAgainstRevoking } from './version-reasons.ts';

const provider = (name: string, available: boolean) => ({ name, available, size: null });
const before = {
  version: '1.0.0',
  status: 'active',
  providers: [provider('libvirt', true), provider('virtualbox', true)],
};
const version = { version: '1.1.0', status: 'unreleased', providers: [provider('libvirt', false)] };

test('who loses what by a release is said before it', () => {
  expect(releaseImpacts(version, [before, version], true)).toEqual([
    {
      kind: 'breaks',
      text: "Machines of virtualbox do not get it: version 1.0.0 has an image for them, this version doesn't.",
    },
    { kind: 'breaks', text: 'Clients that ask for libvirt fail: there is no image yet.' },
    {
      kind: 'updates-itself',
      text: 'Clients that ask for no particular version get this one from now on.',
    },
    {
      kind: 'worth-knowing',
      text: 'A release is not taken back: a version can be revoked for good, or deleted.',
    },
  ]);
  expect(releaseImpacts(before, [before], false).map(({ kind }) => kind)).toEqual([
    'worth-knowing',
    'worth-knowing',
  ]);
});

test('a version is released once, with an image, and revoked once', () => {
  const at = (status: string, ...available: readonly boolean[]) => ({
    ...version,
    revision: '',
    whole_revision: '',
    description: '',
    created_time: '',
    updated_time: '',
    status,
    providers: available.map((is) => ({
      ...provider('x', is),
      revision: '',
      url: '',
      hosted: true,
      checksum: '',
      checksum_type: null,
      architecture: null,
      download_url: '',
      downloads: null,
      created_time: '',
      updated_time: '',
    })),
  });
  expect(reasonAgainstReleasing(at('unreleased', false, true))).toBeUndefined();
  expect(reasonAgainstReleasing(at('unreleased', false))).toMatch(/has an image/);
  expect(reasonAgainstReleasing(at('unreleased'))).toMatch(/no provider/);
  expect(reasonAgainstReleasing(at('active', true))).toMatch(/already/);
  expect(reasonAgainstReleasing(at('revoked', true))).toMatch(/for good/);
  expect(reasonAgainstRevoking(at('active', true))).toBeUndefined();
  expect(reasonAgainstRevoking(at('unreleased', true))).toBeDefined();
  expect(reasonAgainstRevoking(at('revoked', true))).toBeDefined();
});
