/** Clusters for tests: healthy ones, unless a test overrides fields. */
import {
  unknownLag,
  type DisabledCluster,
  type KnownSecondary,
  type Lag,
  type LastKnown,
  type Place,
  type PrimaryCluster,
  type SecondaryCluster,
  type UnreadCluster,
} from './cluster.ts';

const common = { may: null, isSignedIn: true };

function placeOf(id: string): Place {
  return { id, name: id.toUpperCase(), kind: 'development' };
}

/** No entries are waiting, and the last heartbeat was a second ago. */
export const caughtUp: Lag = {
  entries: 0,
  appliedSeq: 10,
  heartbeatAgeMs: 1000,
  heartbeatMs: 2,
  skewMs: 0,
  canaryAgeMs: 0,
};

export function knownSecondary(id: string, more: Partial<KnownSecondary> = {}): KnownSecondary {
  return { id, clusterId: `cluster-${id}`, connection: 'ready', lag: caughtUp, filter: null, ...more };
}

export function primaryCluster(id: string, more: Partial<PrimaryCluster> = {}): PrimaryCluster {
  return {
    ...common,
    place: placeOf(id),
    mode: 'primary',
    clusterId: `cluster-${id}`,
    seq: 10,
    clusterAddress: `${id}:8201`,
    secondaries: [],
    renamed: [],
    ...more,
  };
}

export function secondaryCluster(
  id: string,
  primary: string,
  more: Partial<SecondaryCluster> = {},
): SecondaryCluster {
  return {
    ...common,
    place: placeOf(id),
    mode: 'secondary',
    clusterId: `cluster-${id}`,
    secondaryId: id,
    standing: 'following',
    primaryAddresses: [`${primary}:8201`],
    primaryClusterId: `cluster-${primary}`,
    connection: 'ready',
    sync: 'streaming',
    seq: 10,
    lag: caughtUp,
    renamed: [],
    ...more,
  };
}

/** A secondary without a primary, as after a demotion. */
export function aloneCluster(id: string, more: Partial<SecondaryCluster> = {}): SecondaryCluster {
  return secondaryCluster(id, id, {
    secondaryId: '',
    standing: 'alone',
    primaryAddresses: [],
    primaryClusterId: null,
    connection: 'unknown',
    sync: 'idle',
    lag: unknownLag,
    ...more,
  });
}

export function disabledCluster(id: string): DisabledCluster {
  return { ...common, place: placeOf(id), mode: 'disabled' };
}

/** @param last its last known mode; undefined if unknown */
export function unreadClusterOf(id: string, isDown = true, last?: LastKnown['mode']): UnreadCluster {
  const known = last && {
    mode: last,
    clusterId: `cluster-${id}`,
    clusterAddress: last === 'primary' ? `${id}:8201` : null,
    time: '2026-01-01T12:00:00.000Z',
  };
  return { place: placeOf(id), mode: 'unread', why: "It doesn't respond.", isDown, last: known };
}
