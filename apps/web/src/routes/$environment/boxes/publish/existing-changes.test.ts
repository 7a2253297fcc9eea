import { expect, test } from 'vitest';
import { changesOf, changesOfProvider, type ExistingProvider } from './existing-changes.ts';

const sum = 'ab'.repeat(32);
const stored: ExistingProvider = {
  name: 'libvirt',
  architecture: 'arm64',
  is_default: false,
  url: '',
  hosted: true,
  available: true,
  checksum: sum,
  checksum_type: 'sha256',
  revision: 'h1',
  changed: false,
};
const planned = {
  name: 'libvirt',
  architecture: 'arm64',
  is_default: true,
  source: { kind: 'image' },
  checksum: sum,
  checksum_type: 'sha256',
} as const;

test('an emptied text is shown as removed, and equal values are left out', () => {
  const changes = changesOf([
    ['Short description', 'A base', 'A base'],
    ['Description', 'Breaks X', ''],
    ['Private', false, true],
  ]);
  expect(changes).toMatchObject([
    { label: 'Description', kind: 'removed', before: 'Breaks X' },
    { label: 'Private', kind: 'changed', before: 'No', after: 'Yes' },
  ]);
});

test('a stored image is replaced by a file, and removed by an address', () => {
  const other = { ...planned, checksum: 'cd'.repeat(32) };
  expect(changesOfProvider(stored, other, 'base.box')).toMatchObject([
    { label: 'Image', kind: 'changed', after: 'base.box' },
    { label: 'Default architecture', before: 'No', after: 'Yes' },
    { label: 'Checksum' },
  ]);
  // The same file is no change.
  expect(changesOfProvider(stored, planned, 'base.box')).toMatchObject([
    { label: 'Default architecture', before: 'No', after: 'Yes' },
  ]);
  const source = { kind: 'url', url: 'https://images.example.com/base.box' } as const;
  expect(
    changesOfProvider(stored, { ...planned, is_default: false, source, checksum: '' }, undefined),
  ).toMatchObject([
    { label: 'Image', kind: 'removed' },
    { label: 'Image address', kind: 'added', after: source.url },
    { label: 'Checksum', kind: 'removed', before: `SHA256 ${sum}` },
  ]);
});
