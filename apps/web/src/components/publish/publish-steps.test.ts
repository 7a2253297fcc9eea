import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import { expect, test } from 'vitest';
import { nextStep, reasonAgainst, stateOfStep, titleOfRun, whatIsThere } from './publish-steps.ts';

const done = { state: 'done', outcome: 'created', problem: null, time: '' } as const;
const planned = { state: 'planned', outcome: null, problem: null, time: null } as const;
const image: PublishRunSummary['providers'][number] = {
  id: 'p1',
  name: 'libvirt',
  architecture: 'unknown',
  is_default: true,
  source: { kind: 'image' },
  checksum: '',
  checksum_type: null,
  step: done,
  upload: null,
  ready: false,
};
const run: PublishRunSummary = {
  id: 'pr_1',
  revision: '1',
  environment: 'local',
  state: 'open',
  created_time: '',
  updated_time: '',
  box: { username: 'acme', name: 'base', step: done },
  version: { version: '1.0.0', step: done },
  providers: [image],
  release: planned,
};

test('a run continues at its first incomplete step', () => {
  expect(nextStep({ ...run, box: null, version: null, providers: [] })).toBe('box');
  expect(nextStep({ ...run, version: null, providers: [] })).toBe('version');
  expect(nextStep({ ...run, providers: [] })).toBe('providers');
  expect(nextStep({ ...run, providers: [{ ...image, step: planned }] })).toBe('providers');
  expect(nextStep(run)).toBe('images');
  expect(nextStep({ ...run, providers: [{ ...image, ready: true }] })).toBe('review');
  expect(nextStep({ ...run, state: 'released', release: done })).toBe('summary');
});

test('an existing provider leaves its step open, and a failed one fails it', () => {
  const exists = { ...planned, state: 'exists' as const };
  const failed = { ...planned, state: 'failed' as const };
  expect(stateOfStep({ ...run, providers: [{ ...image, step: exists }] }, 'providers')).toBe('open');
  expect(stateOfStep({ ...run, providers: [image, { ...image, step: failed }] }, 'providers')).toBe('failed');
});

test('images may still be transferred during the review', () => {
  expect(reasonAgainst(run, 'review')).toBeUndefined();
  expect(reasonAgainst({ ...run, providers: [] }, 'review')).toBe('Complete this step first: Providers.');
  expect(reasonAgainst(run, 'summary')).toBe('Complete this step first: Review and release.');
});

test('a run lists what is at the registry and what is not', () => {
  expect(titleOfRun(run)).toBe('acme/base 1.0.0');
  expect(
    whatIsThere(run)
      .filter(({ isThere }) => !isThere)
      .map(({ text }) => text),
  ).toEqual(['Image for libvirt', 'Release']);
});
