import { expect, test } from 'vitest';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { sentPlan } from './plan-words.ts';
import {
  broughtDraft,
  changedDrafts,
  draftProblems,
  draftsOf,
  newDraft,
  planOfDraft,
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
  source: { kind: 'url', url: 'https://images.example.com/base.box' },
  checksum: 'cd'.repeat(16),
  checksum_type: 'md5',
} as const;

test('what is saved comes back as it was', () => {
  const [draft] = draftsOf({ providers: [stored] });
  expect(draft).toMatchObject({ key: 'p1', isSaved: true, kind: 'url' });
  if (draft === undefined) throw new Error('it has a draft');
  expect(planOfDraft(draft, undefined)).toEqual(stored);
  expect(changedDrafts([draft], draftsOf({ providers: [stored] }))).toBe(0);
});

test('the console gives new providers their ids', () => {
  const draft = newDraft('qemu', 'image');
  const plan = { box: null, version: null, providers: [planOfDraft(draft, undefined), stored] };
  const sent = sentPlan(plan).providers;
  expect(sent.map((provider) => 'id' in provider)).toEqual([false, true]);
});

test('a file gives its checksum once it is computed, and none that is known is overwritten', () => {
  const draft = newDraft('qemu', 'image');
  expect(planOfDraft(draft, { ...image, sha256: undefined })).toMatchObject({
    checksum: '',
    checksum_type: null,
  });
  expect(planOfDraft(draft, image)).toMatchObject({ checksum: sha256, checksum_type: 'sha256' });
  const known: ProviderDraft = { ...draft, checksum: 'ef'.repeat(32), checksumType: 'sha256' };
  expect(planOfDraft(known, image).checksum).toBe(known.checksum);
});

test('each thing that is wrong is said at its field', () => {
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
  expect(problems['name']).toBe('Another provider has this name.');
  expect(problems['checksum']).toBeDefined();
  expect(problems['source.url']).toBeDefined();
  expect(draftProblems({ ...draft, name: 'qemu' }, [], image)).toEqual({});
});

test('changes are counted, also of what was taken away', () => {
  const saved = draftsOf({ providers: [stored, { ...stored, id: 'p2', name: 'qemu' }] });
  const [first] = saved;
  if (first === undefined) throw new Error('it has a draft');
  expect(changedDrafts([{ ...first, url: 'https://other.example.com/base.box' }], saved)).toBe(2);
  expect(changedDrafts([...saved, newDraft('', 'url')], saved)).toBe(1);
});

test('a file that publishing began with becomes a provider, of its own name unless that is taken', () => {
  expect(broughtDraft({ providers: [] }, undefined)).toEqual([]);
  expect(broughtDraft({ providers: [] }, image)).toMatchObject([
    { name: 'libvirt', kind: 'image', isSaved: false },
  ]);
  expect(broughtDraft({ providers: [stored] }, image)).toMatchObject([{ name: '' }]);
});
