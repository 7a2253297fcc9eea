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

test("doesn't give up a primary that answers", () => {
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

test('prefers the secondary with the most entries', () => {
  expect(plan(lost)[1]).toMatchObject({
    state: 'blocked',
    reason: expect.stringContaining('C has more') as string,
  });
  expect(plan(lost, 'c')[1]?.state).toBe('done');
});

test('says what may be missing before anything is promoted', () => {
  const target = plan([unreadClusterOf('a'), b])[1];
  expect(target?.found).toContain('B last heard from A 42 s ago. B lacked 7 entries then.');
  const silent = secondaryCluster('b', 'a', { lag: { ...late, heartbeatAgeMs: null } });
  expect(plan([unreadClusterOf('a'), silent])[1]?.found).toContain('is unknown');
});

test('needs confirmation that the old primary is fenced before a promotion', () => {
  const clusters = [unreadClusterOf('a'), b];
  const ready = (evidence = noEvidence) =>
    plan(clusters, 'b', evidence).find(({ state }) => state === 'ready')?.id;
  expect(ready()).toBe('fence');
  expect(ready({ ...noEvidence, confirmed: new Set(['fence']) })).toBe('promote');
});

test("asks about another secondary's filter if it is unknown", () => {
  const steps = plan([unreadClusterOf('a'), secondaryCluster('b', 'a'), secondaryCluster('c', 'a')]);
  expect(steps.map(({ title }) => title)).toContain('Check whether C had a paths filter');
});

test('uses what secondaries report about their filters if the primary is gone', () => {
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

test('moves every cluster without a wipe after a loss, and lists missing writes', () => {
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

test('never disables a cluster or enables a secondary', () => {
  for (const { commands } of plan(lost))
    for (const { command } of commands) expect(command).not.toMatch(/disable|secondary\/enable/);
});
