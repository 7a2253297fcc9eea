import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cluster } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  caughtUp,
  disabledCluster,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from '../-clusters/sample-clusters.ts';
import { changeOf, type Change } from './change.ts';
import { plannedSteps } from './planned.ts';
import { World } from './sample-world.ts';
import { noEvidence, type Evidence, type Step } from './step.ts';

const filter = { mode: 'deny', paths: ['secret/'] } as const;
const a = primaryCluster('a', {
  secondaries: [knownSecondary('b'), knownSecondary('c', { filter }), knownSecondary('far')],
});
const good = [a, secondaryCluster('b', 'a'), secondaryCluster('c', 'a')];

function plan(
  clusters: readonly Cluster[],
  change = changeOf(clusters, 'planned', 'a', 'b'),
  evidence = noEvidence,
) {
  if (change === undefined) throw new Error('There is no change.');
  return plannedSteps(change, { clusters, evidence });
}

const stepsInWords = (steps: readonly Step[]) => steps.map(({ title, state }) => `${state}: ${title}`);

test('checks, stops writes, compares, promotes, then points everything at the new primary', () => {
  expect(stepsInWords(plan(good))).toEqual([
    'done: Check that B has everything',
    'ready: Demote A',
    'blocked: Verify that B has the last entry of A',
    'blocked: Promote B',
    'blocked: Save the paths filter of C at B',
    'blocked: Point A at B',
    'blocked: Point C at B',
    'blocked: Point far at B',
    'blocked: Compare every cluster',
  ]);
  expect(plan(good)[2]?.reason).toBe('Step 2 comes first.');
});

test.each<[string, readonly Cluster[], RegExp]>([
  ['a primary that is down', [unreadClusterOf('a'), secondaryCluster('b', 'a')], /The primary is lost/],
  ['an unreadable primary', [unreadClusterOf('a', false), secondaryCluster('b', 'a')], /can't be read/],
  ['a target without replication', [a, disabledCluster('b')], /which wipes it/],
  ['a target of another primary', [a, secondaryCluster('b', 'x')], /not a secondary of A/],
  [
    'a filtered target',
    [{ ...a, secondaries: [knownSecondary('b', { filter })] }, secondaryCluster('b', 'a')],
    /lacks mounts/,
  ],
  [
    'a target with an unknown filter',
    [{ ...a, secondaries: [knownSecondary('b', { filter: undefined })] }, secondaryCluster('b', 'a')],
    /unknown/,
  ],
  ['a copy in progress', [a, secondaryCluster('b', 'a', { sync: 'receiving' })], /full copy/],
  [
    'a stream that has not begun',
    [a, secondaryCluster('b', 'a', { sync: 'idle' })],
    /doesn't receive entries yet/,
  ],
  [
    'a lag',
    [
      { ...a, secondaries: [knownSecondary('b', { lag: { ...caughtUp, entries: 1234 } })] },
      secondaryCluster('b', 'a'),
    ],
    /1,234 entries are waiting/,
  ],
  [
    'an unknown lag',
    [
      { ...a, secondaries: [knownSecondary('b', { lag: { ...caughtUp, entries: null } })] },
      secondaryCluster('b', 'a', { lag: { ...caughtUp, entries: null } }),
    ],
    /is unknown/,
  ],
])('%s: blocks the start and gives the reason', (_, clusters, reason) => {
  const [check, demote] = plan(clusters);
  expect(check).toMatchObject({ state: 'blocked', reason: expect.stringMatching(reason) as string });
  expect(demote?.state).toBe('blocked');
});

/** Follows a plan to its end, while clients write and entries arrive at any time. */
function walk(
  world: World,
  change: Change,
  busy: readonly number[],
  isStill: () => boolean,
): readonly Step[] {
  let turn = 0;
  for (let tries = 0; tries < 200; tries += 1) {
    const steps = plannedSteps(change, { clusters: world.clusters(), evidence: world.evidence() });
    const ready = steps.find(({ state }) => state === 'ready');
    if (steps.every(({ state }) => state === 'done')) return steps;
    const writes = isStill() ? 0 : (busy[turn++ % busy.length] ?? 0);
    for (let index = 0; index < writes; index += 1) world.write(`w${String(turn)}.${String(index)}`);
    if (ready === undefined) for (const { id } of world.servers) world.stream(id, 40);
    else world.act(ready.act, ready.id);
    expect(world.servers.filter(({ role }) => role === 'primary').length).toBeLessThanOrEqual(1);
    if (ready?.act.kind === 'compare') for (const { id } of world.servers) world.stream(id, 40);
  }
  throw new Error('The plan did not come to its end.');
}

test('loses no acknowledged write, wipes nothing and moves every secondary, whatever is written during the change', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom('c', 'd', 'e'), { maxLength: 3 }),
      fc.array(fc.nat(90), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (others, busy, isFiltered) => {
        const world = new World(['a', 'b', ...others]);
        const [first] = others;
        if (first !== undefined && isFiltered) world.at('a').filters.set(first, filter);
        world.write('before');
        const change = changeOf(world.clusters(), 'planned', 'a', 'b');
        if (change === undefined) throw new Error('There is no change.');
        // The final comparison needs every entry to have arrived.
        walk(world, change, busy, () => world.at('b').role === 'primary');
        for (const { id, leader, writes, lost } of world.servers) {
          expect(leader).toBe(id === 'b' ? undefined : 'b');
          expect(writes).toEqual(world.acknowledged);
          expect(lost).toEqual([]);
        }
        if (first !== undefined && isFiltered) expect(world.at('b').filters.get(first)).toEqual(filter);
      },
    ),
    { numRuns: 60 },
  );
});

test("resumes a plan from the clusters' state, regardless of who did the steps", () => {
  const change = changeOf(good, 'planned', 'a', 'b');
  const demoted = secondaryCluster('a', 'a', {
    standing: 'alone',
    primaryClusterId: null,
    primaryAddresses: [],
  });
  const equal: Evidence = { ...noEvidence, equal: new Set(['a b']) };
  const states = (clusters: readonly Cluster[], evidence: Evidence) =>
    plan(clusters, change, evidence)
      .map(({ state }) => state.charAt(0))
      .join('');
  const between = [demoted, secondaryCluster('b', 'a'), secondaryCluster('c', 'a')];
  expect(states(between, noEvidence)).toBe('ddrbbbbbb');
  expect(states(between, equal)).toBe('dddrbbbbb');
  const promoted = [demoted, primaryCluster('b'), secondaryCluster('c', 'a')];
  // Nothing is saved over the filter at the new primary until it has been read.
  expect(states(promoted, noEvidence)).toBe('ddddbbbbb');
  const read = { ...noEvidence, filterAt: () => ({ revision: 'none', filter: null }) };
  expect(states(promoted, read)).toBe('ddddrbbbb');
});

test("saves a filter under the secondary's future ID, even if an old ID is taken", () => {
  const change = changeOf(good, 'planned', 'a', 'b');
  const b = primaryCluster('b', { secondaries: [knownSecondary('c', { connection: 'disconnected' })] });
  const clusters = [aloneCluster('a'), b, secondaryCluster('c', 'a')];
  const ids = plan(clusters, change).flatMap(({ act, title }) =>
    'secondaryId' in act ? [`${title}: ${act.secondaryId}`] : [],
  );
  expect(ids).toEqual(['Save the paths filter of C at B: c-2', 'Point A at B: a', 'Point C at B: c-2']);
});

test('never promotes a second primary', () => {
  const change = changeOf(good, 'planned', 'a', 'b');
  const steps = plan(good, change, { ...noEvidence, equal: new Set(['a b']) });
  expect(steps.find(({ id }) => id === 'promote')).toMatchObject({ state: 'blocked' });
});

test('never disables a cluster or enables a secondary, by step or by command', () => {
  for (const { act, commands, data, verified } of plan(good)) {
    expect(['look', 'compare', 'demote', 'promote', 'save-filter', 'update-primary', 'elsewhere']).toContain(
      act.kind,
    );
    for (const { command } of commands) expect(command).not.toMatch(/disable|secondary\/enable/);
    expect(data).not.toBe('');
    expect(verified).not.toBe('');
  }
});
