import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import type { PickedImage } from '#lib/uploads/picked-files.ts';
import { lateChecksum } from './late-checksums.ts';
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
    box: { username: 'acme', name: 'base', create: null, step, stored: null },
    version: { version: '1.0.0', description: '', step, stored: null },
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
        stored: null,
        upload: uploadOf(),
        ready: false,
        ...fields,
      },
    ],
    release: { state: 'planned', outcome: null, problem: null, time: null },
  };
}

test('a checksum that is computed while the file is sent goes into the plan', () => {
  const late = lateChecksum([runOf({})], [image]);
  expect(late).toMatchObject({
    plan: { providers: [{ id: 'p1', checksum: image.sha256, checksum_type: 'sha256' }] },
  });
});

test('nothing is written of another file, over a checksum that was given, or before it is known', () => {
  expect(lateChecksum([runOf({})], [{ ...image, sha256: undefined }])).toBeUndefined();
  expect(lateChecksum([runOf({})], [{ ...image, fingerprint: 'other' }])).toBeUndefined();
  expect(lateChecksum([runOf({})], [{ ...image, key: 'p2' }])).toBeUndefined();
  expect(lateChecksum([runOf({ checksum: 'cd', checksum_type: 'md5' })], [image])).toBeUndefined();
  expect(lateChecksum([{ ...runOf({}), state: 'abandoned' }], [image])).toBeUndefined();
  expect(lateChecksum([runOf({ upload: null })], [image])).toBeUndefined();
});
