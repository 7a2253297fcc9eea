import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
} from '../-clusters/sample-clusters.ts';
import { guideKinds, guidesFor, type GuideKind } from './guides.ts';

const filter = { mode: 'deny', paths: ['secret/'] } as const;
const guide = (kind: GuideKind, clusters: readonly Cluster[], lostAt: readonly string[] = []) => {
  const found = guidesFor(clusters, lostAt).find((other) => other.kind === kind);
  if (found === undefined) throw new Error(`There is no guide ${kind}.`);
  return found;
};

test.each<[GuideKind, readonly Cluster[], string]>([
  ['rejoin', [aloneCluster('a'), primaryCluster('b')], 'A is a secondary without a primary.'],
  [
    'two-primaries',
    [primaryCluster('a', { secondaries: [knownSecondary('b')] }), primaryCluster('b')],
    'A and B are both primaries of the same records.',
  ],
  [
    'filtered',
    [primaryCluster('a', { secondaries: [knownSecondary('b', { filter })] }), secondaryCluster('b', 'a')],
    'B has a paths filter.',
  ],
  [
    'revoked',
    [primaryCluster('a'), secondaryCluster('b', 'a', { connection: 'denied' })],
    'B is refused by its primary.',
  ],
])('%s: says that it is needed, with the names', (kind, clusters, now) => {
  expect(guide(kind, clusters).now).toBe(now);
  const others = guidesFor(clusters).filter((other) => other.kind !== kind);
  expect(others.map(({ now: other }) => other)).toEqual(others.map(() => undefined));
});

test('lost writes are told by whoever has them', () => {
  expect(guide('lost', [], ['A']).now).toBe('A has lost writes.');
  expect(guide('lost', []).now).toBeUndefined();
});

test('where nothing is wrong all can be read ahead; none disables a cluster or adds one again', () => {
  const clusters = [primaryCluster('a', { secondaries: [knownSecondary('b')] }), secondaryCluster('b', 'a')];
  const guides = guidesFor(clusters);
  expect(guides.map(({ kind }) => kind)).toEqual(guideKinds);
  for (const { now, steps } of guides) {
    expect(now).toBeUndefined();
    for (const { commands, data } of steps) {
      expect(data).not.toBe('');
      for (const { command } of commands) expect(command).not.toMatch(/disable|secondary\/enable/);
    }
  }
});
