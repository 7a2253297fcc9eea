import { hostname } from 'node:os';
import type { Route } from '../core/backend.ts';
import type { Context } from '../core/context.ts';
import { addressWire } from './replication/address-wire.ts';

/** sys/ha-status: the servers of the cluster, which is this one. */
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
              // The active server echoes to nobody.
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
