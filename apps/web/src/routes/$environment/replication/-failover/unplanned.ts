/** A role change after the primary is lost. What may be missing is shown first, and what is missing afterwards. */
import { type Cluster, type SecondaryCluster } from '../-clusters/cluster.ts';
import { entriesWords } from '../-clusters/link-words.ts';
import { filterOf, reasonAgainstTarget, type Change } from './change.ts';
import { lostCommand, statusCommand } from './commands.ts';
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
import { orderedSteps, type Step, type StepDraft } from './step.ts';

/** The steps after the loss of a primary, with their current states. */
export function unplannedSteps(change: Change, standing: Standing): readonly Step[] {
  const { from, to, others } = change;
  const [old, next] = [clusterOf(standing, from), clusterOf(standing, to)];
  return orderedSteps([
    lostStep(change, old, next),
    targetStep(change, standing),
    fenceStep(change, standing, next),
    promoteStep(to, next, {
      data: `Nothing is deleted. Writes that ${from.name} acknowledged but ${to.name} never received will be missing. They stay on ${from.name} and are listed when it rejoins.`,
      mayForce: true,
    }),
    ...others.flatMap((other) => filterStep(standing, to, other) ?? []),
    ...others.map((other) => otherStep(standing, change, other)),
    demoteStep(from, old, {
      id: 'back',
      title: `Demote ${from.name} when it is back`,
      isDone: old?.mode === 'secondary',
      data: `Nothing is deleted. When ${from.name} comes back, it is still a primary. Until it is demoted, ${from.name} and ${to.name} both accept writes, and the writes to ${from.name} become lost writes.`,
    }),
    followStep(standing, from, to, {
      id: 'rejoin',
      wanted: from.id,
      data: `Nothing is wiped. Writes that ${from.name} accepted but ${to.name} never received are moved to the lost writes of ${from.name}. Afterwards its other records match those of ${to.name}.`,
    }),
    lostWritesStep(change, standing),
    verifyStep(standing, change),
  ]);
}

function lostStep({ from }: Change, old: Cluster | undefined, next: Cluster | undefined): StepDraft {
  const isLost = old?.mode === 'unread' && old.isDown;
  return {
    id: 'lost',
    title: `Check that ${from.name} is lost`,
    act: { kind: 'look' },
    data: 'Nothing changes.',
    verified: `${from.name} doesn't respond to the console.`,
    commands: [statusCommand(from.name)],
    isDone: isLost || isPrimary(next),
    against:
      old?.mode === 'unread'
        ? `${from.name} responds, but can't be read: ${old.why}`
        : `${from.name} responds. Choose "Planned: both clusters work" instead, which loses nothing.`,
  };
}

/** The target, and the entries that it is known to lack. */
function targetStep({ from, to, others }: Change, standing: Standing): StepDraft {
  const next = clusterOf(standing, to);
  const better =
    next?.mode === 'secondary'
      ? others.find(({ place }) => {
          const other = place === null ? undefined : clusterOf(standing, place);
          return other?.mode === 'secondary' && hasMore(other, next);
        })
      : undefined;
  const against =
    reasonAgainstTarget(next, filterOf(standing.clusters, next) ?? standing.evidence.receivedAt(to.id)) ??
    (next?.mode === 'secondary' && next.sync === 'receiving'
      ? `${to.name} was receiving a full copy, so its records are a mixture of old and new.`
      : undefined) ??
    (better?.place == null
      ? undefined
      : `${better.place.name} has more entries than ${to.name}. Promote ${better.place.name} to lose fewer writes.`);
  return {
    id: 'target',
    title: `Check what ${to.name} has`,
    act: { kind: 'look' },
    data: 'Nothing changes.',
    verified: `${to.name} is complete and unfiltered, and no other secondary has more entries.`,
    found: heardWords(from.name, next),
    commands: [statusCommand(to.name)],
    isDone: isPrimary(next) || against === undefined,
    against,
  };
}

function hasMore(other: SecondaryCluster, next: SecondaryCluster): boolean {
  return other.seq !== null && next.seq !== null && other.seq > next.seq && other.sync !== 'receiving';
}

/** How long ago the target last heard from the lost primary. Later writes may be lost. */
function heardWords(primary: string, next: Cluster | undefined): string | undefined {
  if (next?.mode !== 'secondary') return undefined;
  const { name } = next.place;
  const { heartbeatAgeMs: age, entries } = next.lag;
  if (age === null) return `The time of ${name}'s last contact with ${primary} is unknown.`;
  const seconds = Math.round(age / 1000).toLocaleString('en');
  const lacks =
    entries === null
      ? `How many entries ${name} lacked then is unknown.`
      : entries === 0
        ? `${name} had every entry then.`
        : `${name} lacked ${entriesWords(entries)} then.`;
  return `${name} last heard from ${primary} ${seconds} s ago. ${lacks}`;
}

/** Only people can confirm that an unreachable primary accepts no writes. */
function fenceStep({ from, to }: Change, { evidence }: Standing, next: Cluster | undefined): StepDraft {
  return {
    id: 'fence',
    title: `Stop ${from.name} from accepting writes`,
    act: { kind: 'confirm' },
    data: `Nothing changes. If ${from.name} still serves clients that the console can't see, both clusters accept writes, and the writes to ${from.name} are lost.`,
    verified: `You confirm that ${from.name} is stopped, or isolated from its clients and from ${to.name}.`,
    commands: [],
    isDone: isPrimary(next) || evidence.confirmed.has('fence'),
  };
}

function lostWritesStep({ from }: Change, { evidence }: Standing): StepDraft {
  return {
    id: 'lost-writes',
    title: 'Read the lost writes',
    act: { kind: 'read-lost', at: from.id },
    data: 'Nothing changes. Records are listed without values.',
    verified: 'You have checked each record, and rewritten the records that are still needed.',
    commands: [lostCommand(from.name)],
    isDone: evidence.confirmed.has('lost-writes'),
  };
}
