import { expect, test } from 'vitest';
import { harmOfRelease, releaseImpacts } from './release-impacts.ts';

const provider = (name: string, available: boolean) => ({
  name,
  architecture: null,
  is_default: null,
  available,
  size: null,
});
const before = {
  version: '1.0.0',
  status: 'active',
  providers: [provider('libvirt', true), provider('virtualbox', true)],
};
const version = { version: '1.1.0', status: 'unreleased', providers: [provider('libvirt', false)] };

test('lists who loses what before a release', () => {
  expect(releaseImpacts(version, [before, version], '1.0.0')).toEqual([
    {
      kind: 'breaks',
      text: "Machines that use virtualbox won't get this version: version 1.0.0 has an image for them, and this one doesn't.",
    },
    {
      kind: 'breaks',
      text: 'Clients that request libvirt fail, because this version has no image for them yet.',
    },
    {
      kind: 'updates-itself',
      text: "Clients that don't request a version get this one.",
    },
    {
      kind: 'worth-knowing',
      text: "This can't be undone. A released version can only be revoked or deleted.",
    },
  ]);
  expect(releaseImpacts(before, [before], '1.0.0').map(({ kind }) => kind)).toEqual([
    'updates-itself',
    'worth-knowing',
  ]);
});

test("the first release becomes everyone's version, and asks for no name", () => {
  expect([harmOfRelease('final', null), harmOfRelease('final', '1.0.0')]).toEqual([undefined, 'final']);
  expect(releaseImpacts(version, [version], null)).toContainEqual({
    kind: 'updates-itself',
    text: "Clients that don't request a version get this one.",
  });
});
