/** Which environments' secrets servers have the same secrets. */
import type { Replicas } from '@gatehouse/api-types/console/replication-status';
import type { WireReplicationStatus } from '@gatehouse/api-types/services/secrets-replication';
import { isSameServer, type Config, type ServiceConfig } from '#config/config.ts';
import type { Directory } from '../directory.ts';
import { probing } from '../transport.ts';
import { callAs } from './client.ts';
import { readClusterHealth } from './cluster-nodes.ts';
import { readStatus } from './replication.ts';

interface Role {
  /** Whether it is, or may be, replicated. */
  readonly isReplicated: boolean;
  readonly isSecondary: boolean;
  /**
   * ID of the cluster that all writes go to; undefined if it is unknown, or the cluster was demoted and has none. Real
   * servers share one ID among all replicas.
   */
  readonly primary: string | undefined;
}

interface Cluster extends Role {
  readonly secrets: ServiceConfig;
  /** The same under all addresses of all its servers; undefined if unknown. */
  readonly id: string | undefined;
}

const unknown: Role = { isReplicated: true, isSecondary: false, primary: undefined };
const alone: Role = { ...unknown, isReplicated: false };

export type ReplicasOf = ReturnType<typeof createReplicas>;

/** Reads the clusters' public health and status each time, without anyone's token. */
export function createReplicas(config: Config, directory: Directory) {
  const places = config.environments.flatMap(({ id, services: { secrets } }) =>
    secrets === undefined ? [] : [{ environment: id, secrets, namespace: secrets.namespace ?? '' }],
  );
  /** The last known cluster in each environment, for when it can't be reached. */
  const seen = new Map<string, string>();

  const readRole = async (environment: string): Promise<Role> => {
    const caller = callAs({ ...probing(directory.secrets(environment)), namespace: undefined }, {});
    const health = await readClusterHealth(caller);
    if (health?.cluster_id != null) seen.set(environment, health.cluster_id);
    // A proxy can hide the replication status, but then the health doesn't say that there is none.
    return health?.replication_performance_mode === 'disabled' ? alone : roleOf(await readStatus(caller));
  };
  const roles = new Map(
    places.map(({ environment }) => [
      environment,
      oneAtATime(() => readRole(environment).catch(() => unknown)),
    ]),
  );

  /**
   * @param among the other environments to look at; all if absent
   * @returns null if nothing that is done in an environment's namespace of its secrets server is done in another
   *   environment too, nor may be
   */
  return async (environment: string, among?: readonly string[]): Promise<Replicas | null> => {
    const read = places.filter(
      (place) => place.environment === environment || among?.includes(place.environment) !== false,
    );
    const clusters = await Promise.all(
      read.map(async (place) => {
        const role = await roles.get(place.environment)?.();
        return { ...place, ...(role ?? unknown), id: seen.get(place.environment) };
      }),
    );
    const own = clusters.find((one) => one.environment === environment);
    if (own === undefined) return null;
    const others = clusters.filter((one) => one !== own && isWithin(one.namespace, own.namespace));
    const same = others.filter((one) => one.namespace === own.namespace && isSame(own, one) === true);
    const perhaps = others.filter((one) => !same.includes(one) && isSame(own, one) !== false);
    const isSecondary = own.isSecondary && own.primary !== undefined;
    if (same.length === 0 && perhaps.length === 0 && !isSecondary) return null;
    const primary = clusters.find(
      (one) => isSecondary && !one.isSecondary && one.primary !== undefined && one.primary === own.primary,
    );
    return {
      is_secondary: isSecondary,
      primary: primary?.environment ?? null,
      environments: same.map((one) => one.environment),
      unknown: perhaps.map((one) => one.environment),
    };
  };
}

/** Runs one after another. Calls during one share the next, so that it begins after each of them. */
function oneAtATime<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const result = run();
      running = result;
      return result;
    });
    return next;
  };
}

/** Whether two servers are of one cluster, or replicate each other; undefined if unknown. */
function isSame(one: Cluster, other: Cluster): boolean | undefined {
  if (isSameServer(one.secrets, other.secrets)) return true;
  // Either one server under two addresses, or one was restored from a backup of the other.
  if (one.id !== undefined && one.id === other.id) return undefined;
  if (one.isReplicated && other.isReplicated) {
    if (one.primary === undefined || other.primary === undefined) return undefined;
    return one.primary === other.primary;
  }
  return one.id === undefined || other.id === undefined ? undefined : false;
}

/** Whether a namespace is another one, or below it. */
function isWithin(namespace: string, other: string): boolean {
  return other === '' || namespace === other || namespace.startsWith(`${other}/`);
}

function roleOf(status: WireReplicationStatus | null): Role {
  if (status?.mode === 'primary') return { ...unknown, primary: status.cluster_id ?? undefined };
  if (status?.mode !== 'secondary') return unknown;
  const { primaries, primary_cluster_id: id, cluster_id: shared } = status;
  const primary = primaries.length === 0 ? null : (id ?? primaries[0]?.cluster_id ?? shared);
  return { isReplicated: true, isSecondary: true, primary: primary ?? undefined };
}
