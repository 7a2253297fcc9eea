/** The possible actions on a cluster, their effects on data, and why the others are unavailable. */
import type { ReplicationMay } from '@gatehouse/api-types/console/replication-status';
import type { Cluster } from '../-clusters/cluster.ts';

export const actNames = [
  'enable-primary',
  'add-secondary',
  'become-secondary',
  'create-token',
  'write-canary',
  'demote',
  'promote',
  'update-primary',
  'disable',
] as const;
export type ActName = (typeof actNames)[number];

export interface PossibleAct {
  readonly act: ActName;
  /** `Promote this cluster` */
  readonly label: string;
  /** The effect on data, in a sentence or two. */
  readonly data: string;
  /** Why it is unavailable; undefined if it is available. */
  readonly reason: string | undefined;
}

type Mode = 'disabled' | 'primary' | 'secondary';
type Right = keyof NonNullable<ReplicationMay>;

interface ActWords {
  readonly label: string;
  readonly data: string;
  /** Why it is unavailable, by mode; without the modes that allow it. */
  readonly against: Partial<Record<Mode, string>>;
  /** The permission that it needs. */
  readonly right: Right | undefined;
  /** `enable it as a primary` */
  readonly verb: string;
}

const disabledHere = 'Replication is disabled here.';
const onlyPrimaries = 'Only a primary has secondaries.';

const acts: Readonly<Record<ActName, ActWords>> = {
  'enable-primary': {
    label: 'Enable as primary',
    data: 'Nothing is deleted. The cluster gets a cluster ID, and you can add secondaries to it.',
    against: {
      primary: 'This cluster is already a primary.',
      secondary: 'This cluster is a secondary. Promote it instead, which keeps its cluster ID.',
    },
    right: 'enable_primary',
    verb: 'enable this cluster as a primary',
  },
  'add-secondary': {
    label: 'Add a secondary',
    data: 'Nothing changes on this cluster. Everything on the added cluster is deleted first.',
    against: {
      disabled: `${onlyPrimaries} Enable this cluster as a primary first.`,
      secondary: `${onlyPrimaries} This cluster is a secondary.`,
    },
    right: 'create_token',
    verb: 'add secondaries to this cluster',
  },
  'become-secondary': {
    label: 'Enable as secondary',
    data: "Everything on this cluster is deleted, including its tokens. Then it receives its primary's data.",
    against: {
      primary:
        'This cluster is a primary. Demote it and point it at another primary instead, which deletes nothing.',
      secondary: 'This cluster is already a secondary. Change its primary instead, which deletes nothing.',
    },
    right: 'enable_secondary',
    verb: 'enable this cluster as a secondary',
  },
  'create-token': {
    label: 'Create an activation token',
    data: 'Nothing changes. The token works once. The cluster that uses it receives all replicated data.',
    against: {
      disabled: `${onlyPrimaries} Enable this cluster as a primary first.`,
      secondary: `${onlyPrimaries} This cluster is a secondary.`,
    },
    right: 'create_token',
    verb: 'create activation tokens',
  },
  'write-canary': {
    label: 'Write a canary',
    data: 'Writes one entry without records, to show that links work when there are no other writes.',
    against: { disabled: disabledHere, secondary: 'Only a primary can write a canary.' },
    right: 'write_canary',
    verb: 'write a canary',
  },
  demote: {
    label: 'Demote this cluster',
    data: 'Nothing is deleted. The cluster accepts no more writes, keeps its cluster ID, and still sends its secondaries the entries they are missing.',
    against: { disabled: disabledHere, secondary: 'This cluster is already a secondary.' },
    right: 'demote',
    verb: 'demote this cluster',
  },
  promote: {
    label: 'Promote this cluster',
    data: 'Nothing is deleted. The cluster then accepts writes. Afterwards, point the other secondaries and the old primary at it.',
    against: { disabled: disabledHere, primary: 'This cluster is already a primary.' },
    right: 'promote',
    verb: 'promote this cluster',
  },
  'update-primary': {
    label: 'Change primary',
    data: 'Nothing is wiped. The cluster continues after the last entry that it shares with the new primary.',
    against: { disabled: disabledHere, primary: 'This cluster is a primary. Demote it first.' },
    right: 'update_primary',
    verb: 'change the primary of this cluster',
  },
  disable: {
    label: 'Disable replication',
    data: 'Nothing is deleted, but the cluster ID is lost permanently: the cluster must be wiped to rejoin as a secondary. To change roles, demote and promote instead.',
    against: { disabled: 'Replication is already disabled here.' },
    right: undefined,
    verb: 'disable replication on this cluster',
  },
};

/** All actions, with reasons against the unavailable ones; undefined if the cluster is unread or doesn't replicate. */
export function possibleActs(cluster: Cluster): readonly PossibleAct[] | undefined {
  const { mode } = cluster;
  if (mode === 'unread' || mode === 'unsupported') return undefined;
  return actNames.map((act) => {
    const { label, data, against } = acts[act];
    return { act, label, data, reason: against[mode] ?? reasonOfPerson(cluster, act) };
  });
}

/** What the user lacks for an action, whatever the cluster's mode. Users who aren't signed in can try it. */
export function reasonOfPerson(cluster: Cluster, act: ActName): string | undefined {
  if (cluster.mode === 'unread') return cluster.why;
  const { verb, right: usual } = acts[act];
  const right: Right = usual ?? (cluster.mode === 'primary' ? 'disable_primary' : 'disable_secondary');
  return lackingRight(cluster.may, right, verb);
}

/** Why the user can't compare these environments' clusters; undefined if they can, or if it is unknown. */
export function reasonAgainstComparing(
  clusters: readonly Cluster[],
  environments: readonly string[],
): string | undefined {
  return clusters
    .filter(({ place }) => environments.includes(place.id))
    .map((cluster) =>
      cluster.mode === 'unread'
        ? undefined
        : lackingRight(cluster.may, 'read_digest', `read the digest of ${cluster.place.name}`),
    )
    .find((reason) => reason !== undefined);
}

/** Why policies don't allow an action; undefined if they do, or if the server doesn't report permissions. */
export function lackingRight(may: ReplicationMay, right: Right, verb: string): string | undefined {
  return may === null || may[right]
    ? undefined
    : `Your policies don't let you ${verb}. Ask an administrator of the secrets server.`;
}
