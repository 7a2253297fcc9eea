import { hostname } from 'node:os';
import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { badRequest } from '../core/refusal.ts';
import { addressWire } from './replication/address-wire.ts';

/**
 * What clients request before they have a token (sys/init, sys/seal-status, sys/leader), sys/ha-status, and features of
 * other servers that this one lacks: audit devices and CORS, always reported as not configured.
 */
export function statusRoutes(context: Context): Route[] {
  const open = { withoutToken: true, whileSealed: true, rootNamespaceOnly: true };
  const lacking = (path: string, data: Readonly<Record<string, unknown>>): Route => ({
    path,
    sudo: true,
    rootNamespaceOnly: true,
    operations: { read: () => ({ data, repeatData: true }) },
  });
  return [
    {
      ...open,
      path: 'init',
      operations: {
        read: () => ({ bare: { initialized: true } }),
        // The server initializes itself at its first start.
        update: () => {
          throw badRequest('Vault is already initialized');
        },
      },
    },
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
    haStatusRoute(context),
    lacking('audit', {}),
    lacking('config/cors', { enabled: false }),
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

/** sys/ha-status: the nodes of the cluster, of which this server is the only one. */
function haStatusRoute({ version, replication, apiAddress }: Context): Route {
  return {
    path: 'ha-status',
    rootNamespaceOnly: true,
    operations: {
      read: () => ({
        data: {
          nodes: [
            {
              hostname: hostname(),
              api_address: apiAddress(),
              cluster_address: addressWire(replication.view.clusterAddress),
              active_node: true,
              // The active node sends no echoes.
              last_echo: null,
              version,
            },
          ],
        },
        repeatData: true,
      }),
    },
  };
}
