import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';

/** sys/seal-status and sys/leader, which clients request before they have a token. */
export function statusRoutes(context: Context): Route[] {
  const open = { withoutToken: true, whileSealed: true, rootNamespaceOnly: true };
  return [
    { ...open, path: 'seal-status', operations: { read: () => ({ bare: sealStatus(context) }) } },
    {
      ...open,
      path: 'leader',
      operations: {
        read: () => ({
          bare: {
            ha_enabled: false,
            is_self: false,
            active_time: '0001-01-01T00:00:00Z',
            leader_address: '',
            leader_cluster_address: '',
            performance_standby: false,
            performance_standby_last_remote_wal: 0,
          },
        }),
      },
    },
  ];
}

/** The answer of sys/seal-status, sys/seal and sys/unseal. */
export function sealStatus({ barrier, version, cluster }: Context): Readonly<Record<string, unknown>> {
  return {
    type: 'shamir',
    initialized: true,
    sealed: barrier.sealed,
    t: 1,
    n: 1,
    progress: 0,
    nonce: '',
    version,
    build_date: '',
    migration: false,
    ...(barrier.sealed ? {} : { cluster_name: cluster.name, cluster_id: cluster.id }),
    recovery_seal: false,
    storage_type: 'sqlite',
  };
}
