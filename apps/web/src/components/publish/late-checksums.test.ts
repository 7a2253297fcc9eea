import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { lateChecksum, planWithChecksum } from './late-checksums.ts';
import { uploadOf } from './test-upload.ts';

const step = { state: 'done', outcome: 'created', problem: null, time: '' } as const;
const image: PickedImage = {
  key: 'p1',
  file: new File(['x'], 'base.box'),
  fingerprint: 'f',
  hashed: 1,
  sha256: 'ab'.repeat(32),
  failure: undefined,
};

function runOf(fields: Partial<PublishRunSummary['providers'][number]>): PublishRunSummary {
  return {
    id: 'pr_1',
    revision: '4',
    environment: 'local',
    state: 'open',
    created_time: '',
    updated_time: '',
    box: { username: 'acme', name: 'base', step },
    version: { version: '1.0.0', step },
    providers: [
      {
        id: 'p1',
        name: 'libvirt',
        architecture: 'unknown',
        is_default: true,
        source: { kind: 'image' },
        checksum: '',
        checksum_type: null,
        step,
        upload: uploadOf(),
        ready: false,
        ...fields,
      },
    ],
    release: { state: 'planned', outcome: null, problem: null, time: null },
  };
}

test('a checksum computed while the file is sent is added to the plan', () => {
  const late = lateChecksum([runOf({})], [image]);
  expect(late).toMatchObject({ run: 'pr_1', provider: 'p1', sha256: image.sha256 });
});

test('it is added only to a plan that still has none', () => {
  const late = { key: '', run: 'pr_1', provider: 'p1', sha256: 'ab'.repeat(32) };
  const provider = { ...runOf({}).providers[0]!, source: { kind: 'image' as const }, stored: null };
  const run = { box: null, version: null, providers: [provider] };
  const sum = (checksum: string) =>
    planWithChecksum({ ...run, providers: [{ ...provider, checksum }] }, late).providers[0]?.checksum;
  expect([sum(''), sum('cd')]).toEqual([late.sha256, 'cd']);
});

test('no checksum is added for another file, in place of a given one, or before it is computed', () => {
  expect(lateChecksum([runOf({})], [{ ...image, sha256: undefined }])).toBeUndefined();
  expect(lateChecksum([runOf({})], [{ ...image, fingerprint: 'other' }])).toBeUndefined();
  expect(lateChecksum([runOf({})], [{ ...image, key: 'p2' }])).toBeUndefined();
  expect(lateChecksum([runOf({ checksum: 'cd', checksum_type: 'md5' })], [image])).toBeUndefined();
  expect(lateChecksum([{ ...runOf({}), state: 'abandoned' }], [image])).toBeUndefined();
  expect(lateChecksum([runOf({ upload: null })], [image])).toBeUndefined();
});
