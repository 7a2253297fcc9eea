import type { PublishPlan } from '@gatehouse/api-types/console/publish';
import { publishPlanPolicy } from '@gatehouse/api-types/console/publish';
import { merge } from '@gatehouse/record-merge';
import { expect, test } from 'vitest';
import { planConflictWords } from './plan-words.ts';

const source = { kind: 'url', url: 'https://images.example.com/base.box' } as const;
const base: PublishPlan = {
  box: { username: 'acme', name: 'base', create: null },
  version: { version: '1.0.0', description: '' },
  providers: [
    {
      id: 'p1',
      name: 'libvirt',
      architecture: 'arm64',
      is_default: true,
      source,
      checksum: '',
      checksum_type: null,
    },
  ],
};

function wordsOf(mine: PublishPlan, theirs: PublishPlan): readonly (readonly string[])[] {
  const words = planConflictWords([mine, theirs]);
  return merge(publishPlanPolicy, base, mine, theirs).conflicts.map((conflict) => [
    words.labelOf(conflict),
    words.show(conflict.path, conflict.mine),
    words.show(conflict.path, conflict.theirs),
  ]);
}

test("names conflicts between windows by the wizard's labels", () => {
  const version = (number: string): PublishPlan => ({
    ...base,
    version: { version: number, description: '' },
  });
  expect(wordsOf(version('1.1.0'), version('2.0.0'))).toEqual([['Version number', '1.1.0', '2.0.0']]);
});

test('describes providers by their names and the locations of their images', () => {
  const withSource = (other: PublishPlan['providers'][number]['source']): PublishPlan => ({
    ...base,
    providers: base.providers.map((provider) => ({ ...provider, source: other })),
  });
  expect(
    wordsOf(withSource({ kind: 'image' }), withSource({ kind: 'url', url: 'https://x.example.com' })),
  ).toEqual([['Provider libvirt (arm64): image', 'Uploaded file', 'https://x.example.com']]);
  expect(wordsOf({ ...base, providers: [] }, withSource({ kind: 'image' }))).toEqual([
    ['Provider libvirt (arm64)', '', 'libvirt (arm64): Uploaded file'],
  ]);
  const withDefault = (is_default: boolean): PublishPlan => ({
    ...base,
    providers: base.providers.map((provider) => ({ ...provider, is_default })),
  });
  expect(wordsOf(withDefault(false), { ...base, providers: [] })).toEqual([
    ['Provider libvirt (arm64)', 'libvirt (arm64): https://images.example.com/base.box', ''],
  ]);
});
