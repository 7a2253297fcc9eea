import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  caughtUp,
  disabledCluster,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
} from '../-clusters/sample-clusters.ts';
import { milestonesOf, reasonAgainstAdding, reasonAgainstPrimary } from './choices.ts';

const a = primaryCluster('a', { secondaries: [knownSecondary('b')] });
const doneOf = (b: Cluster, leader: Cluster = a) =>
  milestonesOf([leader, b], 'a', 'b').filter(({ isDone }) => isDone).length;

test('refuses to wipe a cluster that takes part in replication', () => {
  expect(reasonAgainstAdding(disabledCluster('b'))).toBeUndefined();
  for (const cluster of [primaryCluster('b'), secondaryCluster('b', 'a'), aloneCluster('b')])
    expect(reasonAgainstAdding(cluster)).toContain('which deletes nothing');
});

test('adds secondaries only to a primary', () => {
  expect(reasonAgainstPrimary(a)).toBeUndefined();
  expect(reasonAgainstPrimary(disabledCluster('a'))).toBe('Enable this cluster as a primary first.');
  expect(reasonAgainstPrimary(secondaryCluster('b', 'a'))).toBe(
    "This cluster is a secondary, and a secondary can't have secondaries.",
  );
});

test('is complete when the secondary streams and no entries wait', () => {
  expect(doneOf(disabledCluster('b'))).toBe(0);
  expect(doneOf(secondaryCluster('b', 'a', { connection: 'connecting' }))).toBe(1);
  for (const sync of ['idle', 'receiving'] as const)
    expect(doneOf(secondaryCluster('b', 'a', { sync }))).toBe(2);
  const late = { ...caughtUp, entries: 3 };
  const behind = { ...a, secondaries: [knownSecondary('b', { lag: late })] };
  expect(doneOf(secondaryCluster('b', 'a', { lag: late }), behind)).toBe(3);
  expect(doneOf(secondaryCluster('b', 'a'))).toBe(4);
  expect(doneOf(secondaryCluster('b', 'x'))).toBe(1);
});
