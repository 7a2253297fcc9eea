/** Turns the console's answers about clusters into the page's records. */
import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import type {
  LastKnownCluster,
  ReplicationSecondary,
  ReplicationStatus,
  SecondaryReplication,
} from '@gatehouse/api-types/console/replication-status';
import { isApiError } from '#lib/api-error.ts';
import { sentencesOf } from '#lib/error-words.ts';
import type { Cluster, KnownSecondary, Lag, PathsFilter, Place } from './cluster.ts';

/** A secondary's filter by its ID: null for none, undefined if unread. */
export type FilterBy = (secondary: string) => PathsFilter | null | undefined;

/** A filter record; null if the secondary has none. */
export function filterOfRecord({ mode, paths }: ReplicationFilter): PathsFilter | null {
  return mode === 'all' ? null : { mode, paths };
}

const notRead: FilterBy = () => undefined;

/** An environment's cluster from its server's status. */
export function clusterOfStatus(
  place: Place,
  status: ReplicationStatus,
  filterBy: FilterBy = notRead,
): Cluster {
  const common = { place, may: status.may, isSignedIn: status.signed_in };
  switch (status.mode) {
    case 'unsupported':
      return { ...common, mode: 'unsupported' };
    case 'disabled':
      return { ...common, mode: status.can_replicate === false ? 'unsupported' : 'disabled' };
    case 'primary':
      return {
        ...common,
        mode: 'primary',
        clusterId: status.cluster_id,
        seq: status.last_seq,
        clusterAddress: status.primary_cluster_addr,
        secondaries: status.secondaries.map((known) => knownOf(known, filterBy)),
        renamed: status.renamed_mounts ?? [],
      };
    case 'secondary':
      return { ...common, ...secondaryOf(status) };
  }
}

/**
 * A cluster that could not be read, and why.
 * @param last its last known status; null if it was never read, undefined if unknown
 */
export function unreadCluster(place: Place, error: unknown, last?: LastKnownCluster | null): Cluster {
  return {
    place,
    mode: 'unread',
    why: sentencesOf(error),
    isDown: isApiError(error, 'service-unavailable', 'service-timeout', 'service-sealed'),
    last: last && {
      mode: last.mode,
      clusterId: last.cluster_id,
      clusterAddress: last.cluster_address,
      time: last.time,
    },
  };
}

function knownOf(known: ReplicationSecondary, filterBy: FilterBy): KnownSecondary {
  const { id, cluster_id: clusterId, connection, applied_seq: appliedSeq } = known;
  return {
    id,
    clusterId,
    connection: connection === 'connected' ? 'ready' : connection,
    lag: lagOf(known, appliedSeq),
    filter: filterBy(id),
  };
}

function secondaryOf(status: SecondaryReplication) {
  const { primary, secondary_id: id, last_seq: seq, sync } = status;
  const addresses = [primary?.cluster_address ?? '', ...(primary?.known_addresses ?? [])];
  return {
    mode: 'secondary',
    clusterId: status.cluster_id,
    secondaryId: id ?? '',
    standing: primary === null ? 'alone' : 'following',
    primaryAddresses: [...new Set(addresses.filter((address) => address !== ''))],
    primaryClusterId: primary?.cluster_id ?? null,
    connection: status.connection,
    sync,
    seq,
    lag: lagOf(status, seq),
    renamed: status.renamed_mounts ?? [],
  } as const;
}

type Heartbeat = Pick<
  ReplicationSecondary,
  'heartbeat_age_ms' | 'last_heartbeat_duration_ms' | 'clock_skew_ms' | 'canary_age_ms' | 'lag_entries'
>;

function lagOf(heartbeat: Heartbeat, appliedSeq: number | null): Lag {
  return {
    entries: heartbeat.lag_entries,
    appliedSeq,
    heartbeatAgeMs: heartbeat.heartbeat_age_ms,
    heartbeatMs: heartbeat.last_heartbeat_duration_ms,
    skewMs: heartbeat.clock_skew_ms,
    canaryAgeMs: heartbeat.canary_age_ms,
  };
}
