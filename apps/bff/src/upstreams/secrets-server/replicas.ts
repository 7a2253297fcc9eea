/** Which environments' secrets servers have the same secrets. */
import type { Replicas } from '@gatehouse/api-types/console/replication-status';
import type { WireReplicationStatus } from '@gatehouse/api-types/services/secrets-replication';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Config } from '#config/config.ts';
import type { Directory } from '../directory.ts';
import { probing } from '../transport.ts';
import { callAs } from './client.ts';
import { readStatus } from './replication.ts';

/** How long a cluster's role is believed where nothing depends on it, in milliseconds. */
const believedFor = 15_000;

interface Cluster {
  readonly isSecondary: boolean;
  /**
   * ID of the cluster that all writes go to; undefined after a demotion, until there is one. Real servers share one ID
   * among all replicas.
   */
  readonly primary: string | undefined;
}

/** `unread`: its server can't be reached, or doesn't tell. Null: not replicated. */
type Told = Cluster | 'unread' | null;

export type ReplicasOf = ReturnType<typeof createReplicas>;

/** Reads the clusters' public status, without anyone's token. */
export function createReplicas(config: Config, directory: Directory, clock: Clock) {
  const told = new Map<string, { readonly at: number; readonly cluster: Promise<Told> }>();
  const places = config.environments.flatMap(({ id, services }) =>
    services.secrets === undefined ? [] : [id],
  );

  const clusterIn = (environment: string, longest: number): Promise<Told> => {
    const known = told.get(environment);
    if (known !== undefined && clock.monotonic() - known.at < longest) return known.cluster;
    const server = { ...probing(directory.secrets(environment)), namespace: undefined };
    const cluster = readStatus(callAs(server, {})).then(clusterOf, () => 'unread' as const);
    told.set(environment, { at: clock.monotonic(), cluster });
    return cluster;
  };

  /**
   * @param isFresh reads the roles now: what a change requires depends on them
   * @returns null if an environment's secrets server isn't replicated, or none of the other environments' is one of its
   *   replicas, nor could be
   */
  return async (environment: string, isFresh = false): Promise<Replicas | null> => {
    if (!places.includes(environment)) return null;
    const longest = isFresh ? 0 : believedFor;
    const own = await clusterIn(environment, longest);
    if (own === null) return null;
    const others = await Promise.all(
      places
        .filter((other) => other !== environment)
        .map(async (id) => ({ id, cluster: await clusterIn(id, longest) })),
    );
    const primary = own === 'unread' ? undefined : own.primary;
    const primaryOf = ({ cluster }: (typeof others)[number]): string | undefined =>
      cluster === null || cluster === 'unread' ? undefined : cluster.primary;
    const same = others.filter((other) => primary !== undefined && primaryOf(other) === primary);
    const unknown = others.filter(
      (other) => other.cluster !== null && (primary === undefined || primaryOf(other) === undefined),
    );
    const isSecondary = own !== 'unread' && own.isSecondary && primary !== undefined;
    if (same.length === 0 && unknown.length === 0 && !isSecondary) return null;
    return {
      is_secondary: isSecondary,
      primary:
        same.find(({ cluster }) => cluster !== null && cluster !== 'unread' && !cluster.isSecondary)?.id ??
        null,
      environments: same.map(({ id }) => id),
      unknown: unknown.map(({ id }) => id),
    };
  };
}

function clusterOf(status: WireReplicationStatus | null): Cluster | null {
  if (status?.mode === 'primary') return { isSecondary: false, primary: status.cluster_id ?? undefined };
  if (status?.mode !== 'secondary') return null;
  const { primaries, primary_cluster_id: id, cluster_id: shared } = status;
  const primary = primaries.length === 0 ? null : (id ?? primaries[0]?.cluster_id ?? shared);
  return { isSecondary: true, primary: primary ?? undefined };
}
