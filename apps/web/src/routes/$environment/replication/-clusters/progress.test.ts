import { expect, test } from 'vitest';
import type { Cluster } from './cluster.ts';
import { earlierOf, noProgress, watched } from './progress.ts';
import { caughtUp, knownSecondary, primaryCluster, secondaryCluster } from './sample-clusters.ts';

const at = (appliedSeq: number, entries: number): readonly Cluster[] => [
  secondaryCluster('b', 'a', { lag: { ...caughtUp, appliedSeq, entries } }),
];
const ago = (progress: ReturnType<typeof watched>, now: number) =>
  earlierOf(progress, now)('cluster-b')?.agoMs;

test('measures a stall from when a secondary was first seen to lack entries without progress', () => {
  let progress = watched(noProgress, at(5, 2), 1000);
  progress = watched(progress, at(5, 3), 6000);
  expect(ago(progress, 11_000)).toBe(10_000);
  progress = watched(progress, at(6, 2), 11_000);
  expect(ago(progress, 11_000)).toBe(0);
});

test("doesn't count time without waiting entries as a stall", () => {
  let progress = watched(noProgress, at(5, 0), 1000);
  progress = watched(progress, at(5, 0), 3_600_000);
  progress = watched(progress, at(5, 1), 3_605_000);
  expect(ago(progress, 3_605_000)).toBeLessThan(12_000);
});

test('watches a secondary outside the console through its primary, and none without a known entry', () => {
  const known = knownSecondary('b', { lag: { ...caughtUp, appliedSeq: 7, entries: 1 } });
  const clusters = [primaryCluster('a', { secondaries: [known] })];
  const progress = watched(watched(noProgress, clusters, 0), clusters, 20_000);
  expect(earlierOf(progress, 20_000)('cluster-b')).toEqual({ appliedSeq: 7, agoMs: 20_000 });
  expect(
    watched(noProgress, [secondaryCluster('b', 'a', { lag: { ...caughtUp, appliedSeq: null } })], 0).size,
  ).toBe(0);
});
