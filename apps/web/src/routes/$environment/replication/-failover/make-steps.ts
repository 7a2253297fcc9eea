/** The steps of role changes. */
import { shellWord } from '#components/form/as-code.ts';
import { freeId } from '../-actions/free-id.ts';
import { clusterAt, type Cluster, type PathsFilter, type Place } from '../-clusters/cluster.ts';
import { follows, knownAt } from '../-clusters/following.ts';
import { notCaughtUp, type Change, type OtherSecondary } from './change.ts';
import {
  demoteCommand,
  digestCommand,
  promoteCommand,
  saveFilterCommand,
  statusCommand,
  updatePrimaryCommands,
} from './commands.ts';
import { pairKey, type Evidence, type StepDraft } from './step.ts';

/** The progress of a change: its clusters' current state, and the evidence collected so far. */
export interface Standing {
  readonly clusters: readonly Cluster[];
  readonly evidence: Evidence;
}

/** A place's cluster; always defined for a change's participants, unless the configuration changed. */
export function clusterOf({ clusters }: Pick<Standing, 'clusters'>, { id }: Place): Cluster | undefined {
  return clusterAt(clusters, id);
}

/**
 * A secondary's ID at a primary: the existing one if it follows the primary, otherwise an unused one. Its filter is
 * saved under the same ID.
 */
function idAt(leader: Cluster | undefined, cluster: Cluster | undefined, wanted: string): string {
  const known = follows(cluster, leader) ? knownAt(leader, cluster) : undefined;
  return known?.id ?? freeId(wanted, leader);
}

/** Another secondary's ID at the new primary. */
export function idOfOther(
  clusters: readonly Cluster[],
  primary: Place,
  { place, secondaryId }: OtherSecondary,
): string {
  if (place === null) return secondaryId;
  return idAt(clusterAt(clusters, primary.id), clusterAt(clusters, place.id), secondaryId);
}

export function isPrimary(cluster: Cluster | undefined): boolean {
  return cluster?.mode === 'primary';
}

/** Why nothing can be done with a cluster; undefined if it can be read. */
function unreadable(cluster: Cluster | undefined): string | undefined {
  return cluster?.mode === 'unread' ? `${cluster.place.name} can't be read: ${cluster.why}` : undefined;
}

/** The primary stops accepting writes. It keeps its data, and its secondaries receive what they lack. */
export function demoteStep(
  place: Place,
  cluster: Cluster | undefined,
  { id = 'demote', title = `Demote ${place.name}`, isDone, data }: DemoteWords,
): StepDraft {
  return {
    id,
    title,
    act: { kind: 'demote', at: place.id },
    data,
    verified: `${place.name} reports that it is a secondary.`,
    commands: [demoteCommand(place.name), statusCommand(place.name)],
    isDone,
    against: unreadable(cluster) ?? (isPrimary(cluster) ? undefined : `${place.name} is not a primary.`),
  };
}

interface DemoteWords {
  readonly id?: string;
  readonly title?: string;
  readonly isDone: boolean;
  readonly data: string;
}

export function promoteStep(
  place: Place,
  cluster: Cluster | undefined,
  words: { readonly data: string; readonly mayForce: boolean; readonly against?: string | undefined },
): StepDraft {
  return {
    id: 'promote',
    title: `Promote ${place.name}`,
    act: { kind: 'promote', at: place.id, mayForce: words.mayForce },
    data: words.data,
    verified: `${place.name} reports that it is a primary.`,
    commands: [promoteCommand(place.name), statusCommand(place.name)],
    isDone: isPrimary(cluster),
    against:
      unreadable(cluster) ??
      words.against ??
      (cluster?.mode === 'secondary' ? undefined : `${place.name} is not a secondary.`),
  };
}

/** Points a cluster with data at another primary. It continues from its last entry. */
export function followStep(
  standing: Standing,
  place: Place,
  primary: Place,
  { id, wanted, data }: { readonly id: string; readonly wanted: string; readonly data: string },
): StepDraft {
  const [cluster, leader] = [clusterOf(standing, place), clusterOf(standing, primary)];
  const secondaryId = idAt(leader, cluster, wanted);
  return {
    id,
    title: `Point ${place.name} at ${primary.name}`,
    act: { kind: 'update-primary', at: place.id, primary: primary.id, secondaryId },
    data,
    verified: `${place.name} is connected to ${primary.name} and has every entry.`,
    commands: [...updatePrimaryCommands(primary.name, place.name, secondaryId), statusCommand(place.name)],
    isDone: isPrimary(leader) && follows(cluster, leader) && hasCaughtUp(cluster, leader),
    against: unreadable(cluster) ?? againstFollowing(place, cluster, leader),
  };
}

/** Once the cluster follows, the only thing to do is wait. */
function againstFollowing(
  { name }: Place,
  cluster: Cluster | undefined,
  leader: Cluster | undefined,
): string | undefined {
  if (cluster?.mode === 'primary') return `${name} is a primary: demote it first.`;
  if (cluster?.mode !== 'secondary')
    return `${name} isn't replicating, so it can only be added again, which wipes it.`;
  if (leader?.mode !== 'primary' || !follows(cluster, leader)) return undefined;
  const waiting = notCaughtUp(cluster, leader);
  return waiting === undefined ? undefined : `In progress. ${waiting}`;
}

function hasCaughtUp(cluster: Cluster | undefined, leader: Cluster | undefined): boolean {
  return (
    cluster?.mode === 'secondary' &&
    notCaughtUp(cluster, leader?.mode === 'primary' ? leader : undefined) === undefined
  );
}

/** Saves the old primary's filter for another secondary at the new one, before the secondary connects. */
export function filterStep(standing: Standing, primary: Place, other: OtherSecondary): StepDraft | undefined {
  const { evidence } = standing;
  const { clusterId, place, secondaryId: wanted } = other;
  const leader = clusterOf(standing, primary);
  const secondaryId = idOfOther(standing.clusters, primary, other);
  const filter = other.filter === undefined && place !== null ? evidence.receivedAt(place.id) : other.filter;
  if (filter === null) return undefined;
  const name = place?.name ?? secondaryId;
  const common = {
    id: `filter ${wanted}`,
    data: `Nothing changes yet. Without its filter, ${name} would receive the data that the filter now excludes.`,
    verified: 'The saved filter has the same mode and paths.',
  };
  if (filter === undefined)
    return {
      ...common,
      title: `Check whether ${name} had a paths filter`,
      act: { kind: 'confirm' },
      verified: `You confirm that ${name} had no paths filter, or that you saved the filter at ${primary.name}.`,
      commands: [
        {
          where: primary.name,
          command: `vault read sys/replication/performance/primary/paths-filter/${shellWord(clusterId ?? secondaryId)}`,
        },
      ],
      isDone: evidence.confirmed.has(common.id),
    };
  const kept = evidence.filterAt(primary.id, secondaryId);
  return {
    ...common,
    title: `Save the paths filter of ${name} at ${primary.name}`,
    act: { kind: 'save-filter', at: primary.id, secondaryId, filter, revision: kept?.revision },
    commands: [saveFilterCommand(primary.name, clusterId ?? secondaryId, filter)],
    isDone: isSameFilter(kept?.filter, filter),
    against: !isPrimary(leader)
      ? `${primary.name} is not a primary.`
      : kept === undefined
        ? `The paths filter of ${name} at ${primary.name} is still loading.`
        : undefined,
  };
}

function isSameFilter(a: PathsFilter | null | undefined, b: PathsFilter | null | undefined): boolean {
  if (!a || !b) return a === b;
  return a.mode === b.mode && a.paths.toSorted().join('\n') === b.paths.toSorted().join('\n');
}

/** Points another secondary at the new primary. */
export function otherStep(
  standing: Standing,
  { to, from, kind }: Change,
  { place, secondaryId, clusterId }: OtherSecondary,
): StepDraft {
  const name = place?.name ?? secondaryId;
  const data =
    kind === 'planned'
      ? `Nothing is wiped. ${name} continues after the last entry that it shares with ${to.name}.`
      : `Nothing is wiped. Entries that ${name} received from ${from.name} but ${to.name} never did are moved to the lost writes of ${name}.`;
  if (place !== null)
    return followStep(standing, place, to, { id: `move ${secondaryId}`, wanted: secondaryId, data });
  const leader = clusterOf(standing, to);
  const isThere =
    leader?.mode === 'primary' &&
    leader.secondaries.some(
      (known) =>
        known.connection === 'ready' &&
        (clusterId === null ? known.id === secondaryId : known.clusterId === clusterId),
    );
  return {
    id: `move ${secondaryId}`,
    title: `Point ${secondaryId} at ${to.name}`,
    act: { kind: 'elsewhere' },
    data,
    verified: `${to.name} lists ${secondaryId} as connected.`,
    commands: updatePrimaryCommands(to.name, secondaryId, secondaryId),
    isDone: isThere,
  };
}

/** Compares every cluster of the console with the new primary. */
export function verifyStep(standing: Standing, change: Change): StepDraft {
  const { from, to, others } = change;
  const places = [from, ...others.flatMap(({ place }) => (place === null ? [] : [place]))];
  const pairs = places.map(({ id }) => ({ primary: to.id, secondary: id }));
  return {
    id: 'verify',
    title: 'Compare every cluster',
    act: { kind: 'compare', pairs },
    data: 'Nothing changes.',
    verified: `Each secondary is at the last entry of ${to.name} with a matching digest.`,
    commands: [to, ...places].map(({ name }) => digestCommand(name)),
    isDone: pairs.every((pair) => standing.evidence.equal.has(pairKey(pair))),
  };
}
