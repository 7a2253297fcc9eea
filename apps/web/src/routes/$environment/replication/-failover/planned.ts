/** A role change while both clusters work. No acknowledged write is lost. */
import { clusterIdOf, type Cluster } from '../-clusters/cluster.ts';
import { follows, knownAt } from '../-clusters/following.ts';
import { entriesWords } from '../-clusters/link-words.ts';
import { entriesWaiting, filterOf, notCaughtUp, reasonAgainstTarget, type Change } from './change.ts';
import { digestCommand, statusCommand } from './commands.ts';
import {
  clusterOf,
  demoteStep,
  filterStep,
  followStep,
  isPrimary,
  otherStep,
  promoteStep,
  verifyStep,
  type Standing,
} from './make-steps.ts';
import { orderedSteps, pairKey, type Step, type StepDraft } from './step.ts';

/** The steps of a planned change, with their current states. */
export function plannedSteps(change: Change, standing: Standing): readonly Step[] {
  const { from, to, others } = change;
  const [old, next] = [clusterOf(standing, from), clusterOf(standing, to)];
  return orderedSteps([
    checkStep(change, standing),
    demoteStep(from, old, {
      isDone: old?.mode === 'secondary',
      data: `Nothing is deleted. ${from.name} accepts no more writes, and no cluster does until ${to.name} is promoted. ${from.name} keeps its cluster ID, and its secondaries still receive the entries they are missing.`,
    }),
    compareStep(change, standing),
    promoteStep(to, next, {
      data: `Nothing is deleted. ${to.name} then accepts writes. The other secondaries receive nothing new until they are pointed at ${to.name}.`,
      mayForce: false,
      against: isPrimary(old)
        ? `${from.name} is still a primary. With two primaries, the writes of one are lost.`
        : undefined,
    }),
    ...others.flatMap((other) => filterStep(standing, to, other) ?? []),
    followStep(standing, from, to, {
      id: 'rejoin',
      wanted: from.id,
      data: `Nothing is wiped. ${from.name} continues after the last entry that it shares with ${to.name}.`,
    }),
    ...others.map((other) => otherStep(standing, change, other)),
    verifyStep(standing, change),
  ]);
}

/** Before any change: the target has everything. */
function checkStep({ from, to }: Change, standing: Standing): StepDraft {
  const [old, next] = [clusterOf(standing, from), clusterOf(standing, to)];
  const isUnderWay = old?.mode === 'secondary';
  const against = againstBeginning(standing, { from, to }, old, next);
  const known = knownAt(old, next);
  return {
    id: 'check',
    title: `Check that ${to.name} has everything`,
    act: { kind: 'look' },
    data: 'Nothing changes.',
    verified: `${to.name} is connected to ${from.name}, its copy is complete and unfiltered, no entries are waiting, and its last heartbeat is recent.`,
    commands: [statusCommand(from.name), statusCommand(to.name)],
    isDone: isUnderWay || isPrimary(next) || against === undefined,
    against,
    filtered: known?.filter && follows(next, old) ? { primary: from.id, secondaryId: known.id } : undefined,
  };
}

/** Why a planned change can't begin; undefined if it can. */
function againstBeginning(
  { clusters }: Standing,
  { from, to }: Pick<Change, 'from' | 'to'>,
  old: Cluster | undefined,
  next: Cluster | undefined,
): string | undefined {
  if (old?.mode === 'unread')
    return old.isDown
      ? `${from.name} doesn't respond. If it is lost, choose "The primary is lost".`
      : `${from.name} can't be read: ${old.why}`;
  if (old?.mode !== 'primary') return `${from.name} is not a primary.`;
  const target = reasonAgainstTarget(next, filterOf(clusters, next));
  if (target !== undefined || next?.mode !== 'secondary') return target ?? `${to.name} is not a secondary.`;
  if (!follows(next, old)) return `${to.name} is not a secondary of ${from.name}.`;
  if (knownAt(old, next)?.filter === undefined)
    return `You can't read paths filters at ${from.name}, so whether ${to.name} has one is unknown.`;
  return notCaughtUp(next, old);
}

/** Between demotion and promotion, nothing is written anywhere, so the two clusters can be compared. */
function compareStep({ from, to }: Change, standing: Standing): StepDraft {
  const [old, next] = [clusterOf(standing, from), clusterOf(standing, to)];
  const pair = { primary: from.id, secondary: to.id };
  return {
    id: 'compare',
    title: `Verify that ${to.name} has the last entry of ${from.name}`,
    act: { kind: 'compare', pairs: [pair] },
    data: 'Nothing changes.',
    verified: 'Both clusters are at the same entry, and their digests are equal.',
    commands: [digestCommand(from.name), digestCommand(to.name)],
    isDone: isPrimary(next) || standing.evidence.equal.has(pairKey(pair)),
    against: againstComparing(old, next),
  };
}

function againstComparing(old: Cluster | undefined, next: Cluster | undefined): string | undefined {
  if (next?.mode !== 'secondary' || old === undefined) return undefined;
  const { name } = next.place;
  if (clusterIdOf(old) !== null && !follows(next, old)) return `${name} no longer follows ${old.place.name}.`;
  const waiting = entriesWaiting(next, undefined);
  return waiting === null || waiting === 0 ? undefined : `${name} still lacks ${entriesWords(waiting)}.`;
}
