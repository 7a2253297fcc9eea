import { hostname } from 'node:os';
import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { addressWire } from './replication/address-wire.ts';

/** sys/ha-status: the nodes of the cluster, of which this server is the only one. */
export function haStatusRoute({ version, replication, apiAddress }: Context): Route {
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
