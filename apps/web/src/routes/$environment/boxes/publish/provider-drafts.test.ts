import { expect, test } from 'vitest';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { sentPlan } from './plan-words.ts';
import {
  broughtDraft,
  changedDrafts,
  chooseDefault,
  collidesWith,
  draftProblems,
  draftsOf,
  newDraft,
  planOfDraft,
  withDefaults,
  withMetadata,
  type ProviderDraft,
} from './provider-drafts.ts';

const sha256 = 'ab'.repeat(32);
const image: PickedImage = {
  key: 'p1',
  file: new File(['x'], 'base-libvirt.box'),
  fingerprint: 'f',
  hashed: 1,
  sha256,
  failure: undefined,
};
const stored = {
  id: 'p1',
  name: 'libvirt',
  architecture: 'arm64',
  is_default: true,
  source: { kind: 'url', url: 'https://images.example.com/base.box' },
  checksum: 'cd'.repeat(16),
  checksum_type: 'md5',
} as const;

test('a saved provider survives a draft unchanged', () => {
  const [draft] = draftsOf({ providers: [stored] });
  expect(draft).toMatchObject({ key: 'p1', isSaved: true, kind: 'url' });
  if (draft === undefined) throw new Error('it has a draft');
  expect(planOfDraft(draft, undefined)).toEqual(stored);
  expect(changedDrafts([draft], draftsOf({ providers: [stored] }))).toBe(0);
});

test('unsaved providers are sent without IDs', () => {
  const draft = newDraft('qemu', 'image');
  const plan = { box: null, version: null, providers: [planOfDraft(draft, undefined), stored] };
  const sent = sentPlan(plan).providers;
  expect(sent.map((provider) => 'id' in provider)).toEqual([false, true]);
});

test("a file's checksum is added once computed, and never replaces a known one", () => {
  const draft = newDraft('qemu', 'image');
  expect(planOfDraft(draft, { ...image, sha256: undefined })).toMatchObject({
    checksum: '',
    checksum_type: null,
  });
  expect(planOfDraft(draft, image)).toMatchObject({ checksum: sha256, checksum_type: 'sha256' });
  const known: ProviderDraft = { ...draft, checksum: 'ef'.repeat(32), checksumType: 'sha256' };
  expect(planOfDraft(known, image).checksum).toBe(known.checksum);
});

test('each problem is shown at its field', () => {
  const draft = newDraft('', 'image');
  expect(Object.keys(draftProblems(draft, [draft], undefined))).toEqual(
    expect.arrayContaining(['name', 'file']),
  );
  const address: ProviderDraft = {
    ...newDraft('qemu', 'url'),
    url: 'ftp://x',
    checksum: 'zz',
    checksumType: 'md5',
  };
  const problems = draftProblems(address, [address, { ...newDraft('QEMU', 'image') }], undefined);
  expect(problems['twice']).toBeDefined();
  expect(problems['checksum']).toBeDefined();
  expect(problems['source.url']).toBeDefined();
  expect(draftProblems({ ...draft, name: 'qemu' }, [], image)).toEqual({});
});

test('counts changes, including removed providers', () => {
  const saved = draftsOf({ providers: [stored, { ...stored, id: 'p2', name: 'qemu' }] });
  const [first] = saved;
  if (first === undefined) throw new Error('it has a draft');
  expect(changedDrafts([{ ...first, url: 'https://other.example.com/base.box' }], saved)).toBe(2);
  expect(changedDrafts([...saved, newDraft('', 'url')], saved)).toBe(1);
});

test('a file chosen at the start becomes a provider, named after the file unless the name is taken', () => {
  expect(broughtDraft({ providers: [] }, undefined)).toEqual([]);
  expect(broughtDraft({ providers: [] }, image)).toMatchObject([
    { name: 'libvirt', kind: 'image', isSaved: false },
  ]);
  const unknown = { ...stored, architecture: 'unknown' };
  expect(broughtDraft({ providers: [unknown] }, image)).toMatchObject([{ name: '' }]);
  expect(broughtDraft({ providers: [stored] }, image)).toMatchObject([{ name: 'libvirt', architecture: '' }]);
});

const named = (key: string, name: string, architecture: string, isDefault = false): ProviderDraft => ({
  ...newDraft(name, 'image', architecture),
  key,
  isDefault,
});

test('two images with the same provider and architecture collide, ignoring case', () => {
  const first = named('a', 'libvirt', '');
  expect(collidesWith(named('b', 'LIBVIRT', 'unknown'), [first])).toBe(first);
  expect(collidesWith(named('b', 'libvirt', 'arm64'), [first])).toBeUndefined();
  expect(collidesWith(named('b', '', ''), [named('a', '', '')])).toBeUndefined();
});

test("each name has one default: the chosen, the registry's, or the first", () => {
  const keysOf = (drafts: readonly ProviderDraft[]) =>
    drafts.flatMap(({ key, isDefault }) => (isDefault ? [key] : []));
  const drafts = [
    named('a', 'libvirt', 'amd64'),
    named('b', 'libvirt', 'arm64'),
    named('c', 'qemu', 'arm64'),
  ];
  expect(keysOf(withDefaults(drafts, []))).toEqual(['a', 'c']);
  expect(keysOf(withDefaults(chooseDefault(withDefaults(drafts, []), 'b'), []))).toEqual(['b', 'c']);
  const there = [{ name: 'libvirt', architecture: 'arm64', is_default: true }];
  expect(keysOf(withDefaults(drafts, there))).toEqual(['b', 'c']);
  const elsewhere = [{ name: 'libvirt', architecture: 'i386', is_default: true }];
  expect(keysOf(withDefaults(drafts, elsewhere))).toEqual(['c']);
  // Renaming gave two defaults the same name.
  expect(keysOf(withDefaults([named('a', 'x', '1', true), named('b', 'X', '2', true)], []))).toEqual(['a']);
});

test("a box's metadata replaces guesses, but never typed values", () => {
  const found = { provider: 'libvirt', architecture: 'aarch64' };
  const guessed = { name: 'qemu', architecture: '' };
  expect(withMetadata(named('a', 'qemu', ''), found, guessed)).toMatchObject({
    name: 'libvirt',
    architecture: 'arm64',
  });
  expect(withMetadata(named('a', 'utm', 'i386'), found, guessed)).toMatchObject({
    name: 'utm',
    architecture: 'i386',
  });
  expect(withMetadata(named('a', 'qemu', ''), { provider: '', architecture: '' }, guessed)).toMatchObject({
    name: 'qemu',
    architecture: '',
  });
});
