import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from '../-clusters/sample-clusters.ts';
import { guideKinds, guidesFor, type Found, type GuideKind } from './guides.ts';

const filter = { mode: 'deny', paths: ['secret/'] } as const;
const guide = (kind: GuideKind, clusters: readonly Cluster[], more: Partial<Found> = {}) => {
  const found = guidesFor(clusters, { lostAt: [], filteredAt: [], ...more }).find(
    (other) => other.kind === kind,
  );
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
    'revoked',
    [primaryCluster('a'), secondaryCluster('b', 'a', { connection: 'denied' })],
    'B is refused by its primary.',
  ],
])('%s: says that it is needed, and names the clusters', (kind, clusters, now) => {
  expect(guide(kind, clusters).now).toBe(now);
  const others = guidesFor(clusters).filter((other) => other.kind !== kind);
  expect(others.map(({ now: other }) => other)).toEqual(others.map(() => undefined));
});

test('accepts a filtered secondary until its primary is lost', () => {
  const primary = primaryCluster('a', { secondaries: [knownSecondary('b', { filter })] });
  const found = { filteredAt: ['B'] };
  expect(guide('filtered', [primary, secondaryCluster('b', 'a')], found).now).toBeUndefined();
  const cutOff = secondaryCluster('b', 'a', { connection: 'disconnected' });
  expect(guide('filtered', [unreadClusterOf('a'), cutOff], found).now).toBe(
    "B has a paths filter, and its primary can't be read.",
  );
  expect(guide('filtered', [unreadClusterOf('a'), cutOff]).now).toBeUndefined();
});

test('points past a filter to an unfiltered secondary, or else to the filter at the lost primary', () => {
  const found = { filteredAt: ['B'] };
  const cutOff = (id: string) => secondaryCluster(id, 'a', { connection: 'disconnected' });
  const lost = unreadClusterOf('a', true, 'primary');
  const way = (...clusters: readonly Cluster[]) => guide('filtered', clusters, found).way;
  expect(way(lost, cutOff('b'), cutOff('c'))).toEqual({
    label: 'Plan to promote C',
    href: '/c/replication/failover?kind=unplanned&to=c',
  });
  expect(way(lost, cutOff('b'))).toEqual({
    label: 'Open the paths filter of B',
    href: '/a/replication/filters/b',
  });
  const [first] = guide('filtered', [lost, cutOff('b')], found).steps;
  expect(first?.commands[0]?.where).toBe('A');
  expect(way(unreadClusterOf('a'), cutOff('b'))).toEqual({ label: 'Open B', href: '/b/replication' });
});

test('compares what could be rebuilt first', () => {
  const denied = secondaryCluster('b', 'a', { connection: 'denied' });
  expect(guide('revoked', [primaryCluster('a'), denied]).compare).toEqual(['a', 'b']);
  expect(guide('rejoin', [aloneCluster('a'), primaryCluster('b')]).compare).toEqual(['b', 'a']);
});

test('names the cluster that has lost writes', () => {
  const { place } = aloneCluster('a');
  const { now, way } = guide('lost', [], { lostAt: [place] });
  expect(now).toBe('A has lost writes.');
  expect(way).toEqual({ label: 'Show the lost writes', href: '/a/replication#lost-writes' });
  expect(guide('lost', []).now).toBeUndefined();
});

test('shows all guides while nothing is wrong, and none disables a cluster or adds one again', () => {
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

test("opens the first step's dialog, and puts the ID to be used into commands", () => {
  const primary = primaryCluster('b', { secondaries: [knownSecondary('a')] });
  const { way, steps } = guide('rejoin', [aloneCluster('a'), primary]);
  expect(way).toEqual({ label: 'Change its primary', href: '/a/replication#update-primary' });
  expect(steps[0]?.commands[0]?.command).toMatch(/secondary-token id=a-2$/);
});
