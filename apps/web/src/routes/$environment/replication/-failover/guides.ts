/** Ways out of unwanted states of clusters, none of which wipes data. */
import { failoverHref, filterHref, replicationHref } from '#components/places/replication.ts';
import { freeId } from '../-actions/free-id.ts';
import type { Cluster, Place, PrimaryCluster, SecondaryCluster } from '../-clusters/cluster.ts';
import { clusterAt, clusterIdOf } from '../-clusters/cluster.ts';
import { namesAsPrimary, primaryOf } from '../-clusters/following.ts';
import { topologyOf } from '../-clusters/topology.ts';
import {
  deleteFilterCommand,
  deleteLostCommand,
  demoteCommand,
  digestCommand,
  lostCommand,
  statusCommand,
  updatePrimaryCommands,
  type Command,
} from './commands.ts';

export const guideKinds = ['rejoin', 'two-primaries', 'filtered', 'revoked', 'lost'] as const;
export type GuideKind = (typeof guideKinds)[number];

export interface GuideStep {
  readonly title: string;
  /** The effect on data. */
  readonly data: string;
  readonly commands: readonly Command[];
}

export interface Guide {
  readonly kind: GuideKind;
  readonly title: string;
  /** When to use it, and what not to do. */
  readonly about: string;
  /** Why it is needed now; undefined if it isn't. */
  readonly now: string | undefined;
  /** Where the console can do the first step. */
  readonly way: { readonly label: string; readonly href: string } | undefined;
  /** The environments of two clusters to compare first. */
  readonly compare?: readonly [string, string] | undefined;
  readonly steps: readonly GuideStep[];
}

/** Findings that need separate calls to the clusters. */
export interface Found {
  /** Clusters with lost writes. */
  readonly lostAt: readonly Place[];
  /** Names of secondaries that don't receive everything. */
  readonly filteredAt: readonly string[];
}

const nothingFound: Found = { lostAt: [], filteredAt: [] };

/** All guides, with the names of the clusters that need them now. */
export function guidesFor(
  clusters: readonly Cluster[],
  { lostAt, filteredAt }: Found = nothingFound,
): readonly Guide[] {
  return [
    rejoinGuide(clusters),
    twoPrimariesGuide(clusters),
    filteredGuide(clusters, filteredAt),
    revokedGuide(clusters),
    lostGuide(lostAt),
  ];
}

const nothing = 'Nothing changes.';

/** @param id the secondary's ID at the primary */
function followSteps(primary: string, secondary: string, id: string, data: string): readonly GuideStep[] {
  return [
    {
      title: `Point ${secondary} at ${primary}`,
      data,
      commands: updatePrimaryCommands(primary, secondary, id),
    },
    {
      title: `Verify that ${secondary} follows, then compare it with ${primary}`,
      data: nothing,
      commands: [statusCommand(secondary), digestCommand(primary), digestCommand(secondary)],
    },
  ];
}

/** Opens the dialog that changes a cluster's primary. */
function changeOfPrimary(cluster: Cluster | undefined): Guide['way'] {
  return (
    cluster && { label: 'Change its primary', href: replicationHref(cluster.place.id, 'update-primary') }
  );
}

const openPlace = (place: Place | undefined): Guide['way'] =>
  place && { label: `Open ${place.name}`, href: replicationHref(place.id) };

const isPrimary = (cluster: Cluster): cluster is PrimaryCluster => cluster.mode === 'primary';
export const isSecondary = (cluster: Cluster): cluster is SecondaryCluster => cluster.mode === 'secondary';

/** A cluster that was demoted, or has forgotten its primary, keeps its data and continues from there. */
function rejoinGuide(clusters: readonly Cluster[]): Guide {
  const alone = clusters.filter(isSecondary).find(({ standing }) => standing === 'alone');
  const [cluster, primary] = [
    alone?.place.name ?? 'the old primary',
    clusters.find(isPrimary)?.place.name ?? 'the new primary',
  ];
  return {
    kind: 'rejoin',
    title: 'Rejoin without a wipe',
    about:
      'For a demoted primary, and for a secondary that has no primary. Never disable replication on such a cluster: that changes its cluster ID, and it must then be added again, which wipes it.',
    now: alone && `${alone.place.name} is a secondary without a primary.`,
    way: changeOfPrimary(alone),
    compare: pairOf(clusters.find(isPrimary), alone),
    steps: followSteps(
      primary,
      cluster,
      freeId(alone?.place.id ?? 'SECONDARY_ID', clusters.find(isPrimary)),
      `Nothing is wiped. Writes that ${cluster} has and ${primary} never received are moved to the lost writes of ${cluster}.`,
    ),
  };
}

function twoPrimariesGuide(clusters: readonly Cluster[]): Guide {
  const { rivals, nodes } = topologyOf(clusters);
  const placeOf = (key: string | undefined) => nodes.find((node) => node.key === key)?.places[0];
  const [pair] = rivals;
  const [old, next] = [placeOf(pair?.[0]), placeOf(pair?.[1])];
  const [first, second] = [old?.name ?? 'the old primary', next?.name ?? 'the new primary'];
  return {
    kind: 'two-primaries',
    title: 'Two primaries',
    about:
      'Two clusters accept writes to the same records. Choose which one stays the primary. Writes that it never received from the other cluster become lost writes. Decide quickly, because every further write on the other cluster will be lost too.',
    now: pair && `${first} and ${second} are both primaries of the same records.`,
    way: openPlace(old),
    steps: [
      {
        title: 'Decide which cluster stays the primary',
        data: `${nothing} Compare the last entries of both clusters, and check which cluster your clients use.`,
        commands: [statusCommand(first), statusCommand(second)],
      },
      {
        title: `Demote the other cluster (${first})`,
        data: `Nothing is deleted. ${first} accepts no more writes and keeps its cluster ID.`,
        commands: [demoteCommand(first)],
      },
      ...followSteps(
        second,
        first,
        freeId(old?.id ?? 'SECONDARY_ID', clusterAt(clusters, next?.id)),
        `Nothing is wiped. Writes that ${first} has and ${second} never received are moved to the lost writes of ${first}.`,
      ),
      {
        title: `Read the lost writes of ${first}, and rewrite the records that are still needed`,
        data: nothing,
        commands: [lostCommand(first)],
      },
    ],
  };
}

/** Whether a secondary's primary can't be read, and the secondary doesn't reach it either. */
export function isCutOff(clusters: readonly Cluster[], cluster: SecondaryCluster): boolean {
  const { standing, connection } = cluster;
  return standing === 'following' && connection !== 'ready' && primaryOf(clusters, cluster) === undefined;
}

/** While the primary works, a filtered secondary is as intended. */
function filteredGuide(clusters: readonly Cluster[], filteredAt: readonly string[]): Guide {
  const found = clusters
    .filter(isSecondary)
    .find((cluster) => filteredAt.includes(cluster.place.name) && isCutOff(clusters, cluster));
  const name = found?.place.name ?? 'the secondary';
  const lost = found && clusters.find((cluster) => namesAsPrimary(found, cluster))?.place;
  const primary = lost?.name ?? 'the primary';
  return {
    kind: 'filtered',
    title: 'Promote a filtered secondary',
    about:
      'A filtered secondary lacks mounts that the primary has. If it is promoted with force, it starts a new history without them, and every cluster that follows it loses them too. Promote an unfiltered secondary. If none exists, let this one receive everything first.',
    now: found && `${name} has a paths filter, and its primary can't be read.`,
    way: wayPastFilter(clusters, filteredAt, found, lost),
    steps: [
      {
        title: `Delete the paths filter of ${name}`,
        data: `${name} receives everything, including the data that the filter excluded.`,
        commands: [deleteFilterCommand(primary, clusterIdText(found))],
      },
      {
        title: `Wait until ${name} has everything, then compare it with ${primary}`,
        data: nothing,
        commands: [statusCommand(name), digestCommand(primary), digestCommand(name)],
      },
      {
        title: `Use the failover planner to switch from ${primary} to ${name}`,
        data: 'Nothing is lost.',
        commands: [],
      },
    ],
  };
}

/** Opens an unfiltered secondary of the same primary, or else the filter to delete. */
function wayPastFilter(
  clusters: readonly Cluster[],
  filteredAt: readonly string[],
  found: SecondaryCluster | undefined,
  lost: Place | undefined,
): Guide['way'] {
  if (found === undefined) return undefined;
  const other = clusters
    .filter(isSecondary)
    .find(
      ({ place, primaryClusterId, standing }) =>
        place.id !== found.place.id &&
        !filteredAt.includes(place.name) &&
        standing === 'following' &&
        primaryClusterId === found.primaryClusterId,
    );
  if (other !== undefined)
    return {
      label: `Plan to promote ${other.place.name}`,
      href: failoverHref(other.place.id, { kind: 'unplanned', to: other.place.id }),
    };
  return lost === undefined
    ? openPlace(found.place)
    : { label: `Open the paths filter of ${found.place.name}`, href: filterHref(lost.id, found.secondaryId) };
}

function revokedGuide(clusters: readonly Cluster[]): Guide {
  const denied = clusters.filter(isSecondary).find(({ connection }) => connection === 'denied');
  const name = denied?.place.name ?? 'the secondary';
  const primary = primaryOf(clusters, denied)?.place.name ?? 'the primary';
  return {
    kind: 'revoked',
    title: 'A revoked secondary',
    about:
      "Its primary refuses a revoked secondary until it has a new activation. The secondary still serves reads, but its data becomes stale. With a new activation it continues where it stopped, and doesn't have to be added again.",
    now: denied && `${name} is refused by its primary.`,
    way: changeOfPrimary(denied),
    compare: pairOf(primaryOf(clusters, denied), denied),
    steps: followSteps(
      primary,
      name,
      freeId(denied?.secondaryId ?? 'SECONDARY_ID', primaryOf(clusters, denied)),
      `Nothing is wiped. ${name} continues after its last entry, or a full copy is applied over its data.`,
    ),
  };
}

function lostGuide(lostAt: readonly Place[]): Guide {
  const [first] = lostAt;
  const name = first?.name ?? 'the old primary';
  return {
    kind: 'lost',
    title: 'Lost writes',
    about:
      "Lost writes are writes that a cluster acknowledged but its new primary never received. They stay on that cluster, listed by record without values, and aren't served.",
    now:
      lostAt.length === 0
        ? undefined
        : `${lostAt.map((place) => place.name).join(', ')} ${lostAt.length === 1 ? 'has' : 'have'} lost writes.`,
    way: first && { label: 'Show the lost writes', href: replicationHref(first.id, 'lost-writes') },
    steps: [
      { title: `Read the lost writes of ${name}`, data: nothing, commands: [lostCommand(name)] },
      {
        title: 'Check each record on the primary',
        data: `${nothing} A record may have been written again since the write was lost.`,
        commands: [],
      },
      {
        title: 'Rewrite the records that are still needed from their source',
        data: 'Each rewrite is a new write on the primary and is replicated to every secondary that receives its path.',
        commands: [],
      },
      {
        title: 'Delete resolved lost writes',
        data: `These lost writes and their encrypted values on ${name} are deleted. This can't be undone.`,
        commands: [deleteLostCommand(name)],
      },
    ],
  };
}

function pairOf(primary: Cluster | undefined, secondary: Cluster | undefined) {
  return primary && secondary && ([primary.place.id, secondary.place.id] as const);
}

function clusterIdText(cluster: Cluster | undefined): string {
  return (cluster && clusterIdOf(cluster)) ?? 'CLUSTER_ID';
}
