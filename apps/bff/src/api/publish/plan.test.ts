import type { PublishStep } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import { changedPlan, newPlan } from './plan.ts';

const provider = {
  id: 'p1',
  name: 'libvirt',
  architecture: 'unknown',
  is_default: true,
  source: { kind: 'image' as const },
  checksum: '',
  checksum_type: null,
};
const sha256 = { checksum: 'ab'.repeat(32), checksum_type: 'sha256' as const };
const step: PublishStep = { state: 'done', outcome: 'created', problem: null, time: '' };
const isFree = () => false;

function done() {
  const plan = newPlan({ box: null, version: null, providers: [provider] });
  return { ...plan, providers: plan.providers.map((one) => ({ ...one, step })) };
}

function changed(fields: object, before = done(), isFixed = isFree) {
  const plan = { box: null, version: null, providers: [{ ...provider, ...fields }] };
  return changedPlan(before, plan, isFixed).providers[0];
}

test('a checksum added later leaves its provider done', () => {
  expect(changed(sha256)).toMatchObject({ ...sha256, step: { state: 'done' } });
  expect(changed({ ...sha256, name: 'qemu' })?.step.state).toBe('planned');
  const known = { ...done(), providers: done().providers.map((one) => ({ ...one, ...sha256 })) };
  expect(changed({ checksum: 'cd'.repeat(32), checksum_type: 'sha256' }, known)?.step.state).toBe('planned');
});

test('the default moves to another image without repeating a step', () => {
  expect(changed({ is_default: false }, done(), () => true)).toMatchObject({
    is_default: false,
    step: { state: 'done' },
  });
  const before = done();
  const other = { ...before, providers: before.providers.map((one) => ({ ...one, is_default: false })) };
  expect(changed({ is_default: true }, other)?.step.state).toBe('planned');
  expect(changed({ architecture: 'arm64' })?.step.state).toBe('planned');
});

test('refuses to change the plan of an image in transit', () => {
  expect(() => changed(sha256, done(), () => true)).toThrow('is already in the registry or on its way there');
  expect(changed({}, done(), () => true)?.step.state).toBe('done');
});
