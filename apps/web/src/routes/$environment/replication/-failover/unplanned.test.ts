import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  caughtUp,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from '../-clusters/sample-clusters.ts';
import { changeOf } from './change.ts';
import { World } from './sample-world.ts';
import { noEvidence } from './step.ts';
import { unplannedSteps } from './unplanned.ts';

const late = { ...caughtUp, heartbeatAgeMs: 42_000, entries: 7 };
const b = secondaryCluster('b', 'a', { connection: 'disconnected', lag: late });
const lost = [unreadClusterOf('a'), b, secondaryCluster('c', 'a', { connection: 'disconnected', seq: 12 })];

function plan(clusters: readonly Cluster[], to = 'b', evidence = noEvidence) {
  const change = changeOf(clusters, 'unplanned', 'a', to);
  if (change === undefined) throw new Error('There is no change.');
  return unplannedSteps(change, { clusters, evidence });
}

test('a primary that answers is not given up', () => {
  const [first] = plan([
    primaryCluster('a', { secondaries: [knownSecondary('b')] }),
    secondaryCluster('b', 'a'),
  ]);
  expect(first).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('Planned: both clusters work') as string,
  });
  expect(plan([unreadClusterOf('a', false), b])[0]?.reason).toContain("A responds, but can't be read");
});

test('the secondary with the most entries is preferred', () => {
  expect(plan(lost)[1]).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('C has more') as string,
  });
  expect(plan(lost, 'c')[1]?.state).toBe('done');
});

test('what may be missing is said before anything is promoted', () => {
  const target = plan([unreadClusterOf('a'), b])[1];
  expect(target?.found).toContain('B last heard from A 42 s ago. B lacked 7 entries then.');
  const silent = secondaryCluster('b', 'a', { lag: { ...late, heartbeatAgeMs: null } });
  expect(plan([unreadClusterOf('a'), silent])[1]?.found).toContain('is unknown');
});

test('a person says that the old primary takes no writes before another one does', () => {
  const clusters = [unreadClusterOf('a'), b];
  const ready = (evidence = noEvidence) =>
    plan(clusters, 'b', evidence).find(({ state }) => state === 'ready')?.id;
  expect(ready()).toBe('fence');
  expect(ready({ ...noEvidence, confirmed: new Set(['fence']) })).toBe('promote');
});

test('what the old primary kept from another secondary is asked about where nobody knows it', () => {
  const steps = plan([unreadClusterOf('a'), secondaryCluster('b', 'a'), secondaryCluster('c', 'a')]);
  expect(steps.map(({ title }) => title)).toContain('Check whether C had a paths filter');
});

test('what secondaries say that they do not receive counts where their primary is gone', () => {
  const clusters = [unreadClusterOf('a'), secondaryCluster('b', 'a'), secondaryCluster('c', 'a')];
  const filter = { mode: 'deny', paths: ['secret/'] } as const;
  const told = (filtered: string) => ({
    ...noEvidence,
    receivedAt: (environment: string) => (environment === filtered ? filter : null),
  });
  expect(plan(clusters, 'b', told('b'))[1]?.reason).toContain('lacks mounts');
  const titles = plan(clusters, 'b', told('c')).map(({ title }) => title);
  expect(titles).toContain('Save the paths filter of C at B');
});

test('after a loss everybody follows again without a wipe, and what is missing is listed', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.boolean(), (replicated, after, hasOther) => {
      const world = new World(hasOther ? ['a', 'b', 'c'] : ['a', 'b']);
      for (let index = 0; index < replicated; index += 1) world.write(`r${String(index)}`);
      for (const { id } of world.servers) world.stream(id);
      for (let index = 0; index < after; index += 1) world.write(`l${String(index)}`);
      world.at('a').isDown = true;
      const change = changeOf(world.clusters(), 'unplanned', 'a', 'b');
      if (change === undefined) throw new Error('There is no change.');
      for (let tries = 0; tries < 60; tries += 1) {
        const steps = unplannedSteps(change, { clusters: world.clusters(), evidence: world.evidence() });
        if (steps.every(({ state }) => state === 'done')) break;
        const ready = steps.find(({ state }) => state === 'ready');
        if (ready !== undefined) world.act(ready.act, ready.id);
        else if (world.at('b').role === 'primary') world.at('a').isDown = false;
        if (world.at('b').role === 'primary' && world.at('b').writes.length === replicated)
          world.write('new');
        for (const { id } of world.servers) world.stream(id);
      }
      const { writes } = world.at('b');
      for (const { id, leader, writes: own } of world.servers) {
        expect(leader).toBe(id === 'b' ? undefined : 'b');
        expect(own).toEqual(writes);
      }
      expect(world.acknowledged.filter((text) => !writes.includes(text)).toSorted()).toEqual(
        world.at('a').lost.toSorted(),
      );
    }),
    { numRuns: 60 },
  );
});

test('no step disables a cluster or enables a secondary', () => {
  for (const { commands } of plan(lost))
    for (const { command } of commands) expect(command).not.toMatch(/disable|secondary\/enable/);
});
