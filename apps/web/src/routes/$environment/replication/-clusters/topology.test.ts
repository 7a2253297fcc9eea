import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unknownLag, type Cluster, type KnownSecondary } from './cluster.ts';
import { modeWords } from './link-words.ts';
import { isReplaced } from './replaced.ts';
import {
  aloneCluster,
  caughtUp,
  disabledCluster,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from './sample-clusters.ts';
import { stateOfLinkTo, topologyOf } from './topology.ts';

const linksOf = (clusters: readonly Cluster[]) =>
  topologyOf(clusters).links.map(({ from, to, state }) => `${from} > ${to}: ${state}`);

test('joins a primary and its secondaries by cluster ID', () => {
  const a = primaryCluster('a', { secondaries: [knownSecondary('b'), knownSecondary('c')] });
  expect(linksOf([a, secondaryCluster('b', 'a'), secondaryCluster('c', 'a'), disabledCluster('d')])).toEqual([
    'cluster-a > cluster-b: idle',
    'cluster-a > cluster-c: idle',
  ]);
});

test('joins a secondary by its ID and primary before its first connection', () => {
  const known = knownSecondary('b', { clusterId: null, connection: 'disconnected', lag: unknownLag });
  const a = primaryCluster('a', { secondaries: [known] });
  const other = primaryCluster('x', { secondaries: [known] });
  const b = secondaryCluster('b', 'a', { primaryClusterId: null, lag: unknownLag });
  expect(linksOf([other, a, b])).toEqual([
    'cluster-x > cluster-x/b: unused',
    'cluster-a > cluster-b: disconnected',
  ]);
});

test('a link without a stream is still connecting, whatever its primary counts', () => {
  const a = primaryCluster('a', { secondaries: [knownSecondary('b')] });
  expect(linksOf([a, secondaryCluster('b', 'a', { sync: 'idle' })])).toEqual([
    'cluster-a > cluster-b: connecting',
  ]);
});

test('draws clusters outside the console with what is known about them', () => {
  const a = primaryCluster('a', { secondaries: [knownSecondary('far')] });
  const { nodes } = topologyOf([a, secondaryCluster('s', 'elsewhere')]);
  expect(nodes.filter(({ cluster }) => cluster.mode === 'outside')).toMatchObject([
    { key: 'cluster-far', cluster: { name: 'far', role: 'secondary' }, places: [] },
    { cluster: { name: 'elsewhere:8201', role: 'primary' }, places: [] },
  ]);
});

test("joins secondaries to a primary that doesn't answer, from what they report", () => {
  const stale = { ...caughtUp, heartbeatAgeMs: 60_000 };
  const clusters = [
    unreadClusterOf('a'),
    secondaryCluster('b', 'a', { connection: 'disconnected', lag: stale }),
    secondaryCluster('c', 'a', { connection: 'disconnected', lag: stale }),
  ];
  const { links, nodes } = topologyOf(clusters);
  expect(links.map(({ from }) => from)).toEqual(['primary cluster-a', 'primary cluster-a']);
  expect(nodes).toHaveLength(4);
});

test('matches an unread primary to its node by ID or address', () => {
  const stale = { connection: 'disconnected', lag: { ...caughtUp, heartbeatAgeMs: 60_000 } } as const;
  const down = unreadClusterOf('a', true, 'primary');
  const byAddress = secondaryCluster('c', 'a', { ...stale, primaryClusterId: null });
  const { nodes, links } = topologyOf([down, secondaryCluster('b', 'a', stale), byAddress]);
  expect(nodes).toHaveLength(3);
  expect(links.map(({ from, to, state }) => `${from} > ${to}: ${state}`)).toEqual([
    'place a > cluster-b: disconnected',
    'place a > cluster-c: disconnected',
  ]);
});

test('matches an unread secondary to the node that its primary knows', () => {
  const known = knownSecondary('b', { connection: 'disconnected' });
  const clusters = [primaryCluster('a', { secondaries: [known] }), unreadClusterOf('b', true, 'secondary')];
  expect(linksOf(clusters)).toEqual(['cluster-a > place b: disconnected']);
  // Its primary can't know that it follows another one now.
  expect(stateOfLinkTo(topologyOf(clusters), known)).toBe('disconnected');
  expect(stateOfLinkTo(topologyOf([...clusters.slice(0, 1), aloneCluster('b')]), known)).toBeUndefined();
});

test('suggests an unread cluster as the missing primary, but not one known to be another', () => {
  const outside = (unread: Cluster) => {
    const { nodes } = topologyOf([unread, secondaryCluster('b', 'a')]);
    const found = nodes.find(({ cluster }) => cluster.mode === 'outside')?.cluster;
    return found && modeWords(found).about;
  };
  expect(outside(unreadClusterOf('a'))).toBe("May be A, which can't be read.");
  expect(outside(unreadClusterOf('x', true, 'primary'))).toBe("It isn't an environment of this console.");
});

test('draws and counts a cluster once that reconnected under a newer ID', () => {
  const older = knownSecondary('b', { connection: 'disconnected' });
  const newer = knownSecondary('b-2', { clusterId: 'cluster-b' });
  const a = primaryCluster('a', { secondaries: [older, newer] });
  expect(linksOf([a, secondaryCluster('b', 'a', { secondaryId: 'b-2' })])).toEqual([
    'cluster-a > cluster-b: idle',
  ]);
  expect(isReplaced(a.secondaries, older)).toBe(true);
  expect(isReplaced([older], older)).toBe(false);
});

test("doesn't link a demoted or moved secondary to the primary that still lists it", () => {
  const a = primaryCluster('a', { secondaries: [knownSecondary('b', { connection: 'disconnected' })] });
  const c = primaryCluster('c', { secondaries: [knownSecondary('b')] });
  expect(linksOf([a, c, secondaryCluster('b', 'c')])).toEqual(['cluster-c > cluster-b: idle']);
  expect(linksOf([a, aloneCluster('b')])).toEqual([]);
});

test('draws environments that share a server as one node', () => {
  const { nodes } = topologyOf([
    primaryCluster('a'),
    primaryCluster('b', { clusterId: 'cluster-a' }),
    unreadClusterOf('c'),
    unreadClusterOf('d'),
  ]);
  expect(nodes.map(({ places }) => places.map(({ id }) => id))).toEqual([['a', 'b'], ['c'], ['d']]);
});

test('reports a secondary that became a primary beside its own', () => {
  const a = primaryCluster('a', { secondaries: [knownSecondary('b', { connection: 'disconnected' })] });
  expect(topologyOf([a, primaryCluster('b')]).rivals).toEqual([['cluster-a', 'cluster-b']]);
  expect(topologyOf([a, secondaryCluster('b', 'a')]).rivals).toEqual([]);
});

test('keeps what neither end reports unknown', () => {
  const known = knownSecondary('b', { connection: 'unknown', lag: unknownLag });
  const a = primaryCluster('a', { secondaries: [known] });
  const b = secondaryCluster('b', 'a', { connection: 'unknown', lag: unknownLag });
  expect(topologyOf([a, b]).links).toMatchObject([{ state: 'unknown', lag: unknownLag }]);
});

const ids = fc.constantFrom('a', 'b', 'c', 'd');
const anyKnown: fc.Arbitrary<KnownSecondary> = fc
  .record({ id: ids, clusterId: fc.option(ids) })
  .map(({ id, clusterId }) =>
    knownSecondary(id, { clusterId: clusterId === null ? null : `cluster-${clusterId}` }),
  );
const anyCluster = (id: string): fc.Arbitrary<Cluster> =>
  fc.oneof(
    fc
      .uniqueArray(anyKnown, { selector: (known) => known.id })
      .map((secondaries) => primaryCluster(id, { secondaries })),
    fc
      .record({ primary: ids, told: fc.boolean() })
      .map(({ primary, told }) =>
        secondaryCluster(id, primary, told ? {} : { primaryClusterId: null, clusterId: null }),
      ),
    fc.constantFrom<Cluster>(
      aloneCluster(id),
      disabledCluster(id),
      unreadClusterOf(id),
      unreadClusterOf(id, true, 'primary'),
    ),
  );

test('links only existing nodes and draws each environment once, whatever clusters report', () => {
  fc.assert(
    fc.property(fc.tuple(...['a', 'b', 'c', 'd'].map(anyCluster)), (clusters) => {
      const { nodes, links, rivals } = topologyOf(clusters);
      const keys = nodes.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      expect(nodes.flatMap(({ places }) => places.map(({ id }) => id)).toSorted()).toEqual([
        'a',
        'b',
        'c',
        'd',
      ]);
      for (const { from, to } of links) {
        expect(keys).toContain(from);
        expect(keys).toContain(to);
        expect(from).not.toBe(to);
      }
      for (const pair of rivals) for (const key of pair) expect(keys).toContain(key);
    }),
  );
});
