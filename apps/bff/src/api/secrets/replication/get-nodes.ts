import type { ClusterNode, ClusterNodes } from '@gatehouse/api-types/console/replication-status';
import type { Operation } from '#operation/operation.ts';
import { secretsCaller } from '#shared/secrets/caller.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import {
  readClusterHealth,
  readHaStatus,
  readLeader,
  readRaft,
} from '#upstreams/secrets-server/cluster-nodes.ts';

/** The servers of a cluster by whichever answer tells them: that of shared storage, of integrated storage, or of the leader. */
export const getClusterNodes: Operation<'replication.getNodes'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [health, nodes] = await Promise.all([readClusterHealth(caller), readNodes(caller)]);
  return { ...nodes, cluster_name: health?.cluster_name ?? null, cluster_id: health?.cluster_id ?? null };
};

async function readNodes(caller: SecretsCaller): Promise<Pick<ClusterNodes, 'source' | 'nodes'>> {
  const shared = await readHaStatus(caller);
  if (shared !== null && shared.length > 0) {
    return {
      source: 'ha-status',
      nodes: shared.map(({ hostname, active_node: active, ...rest }) => ({
        name: hostname ?? rest.api_address ?? '',
        role: active === true ? 'active' : active === false ? 'standby' : 'unknown',
        ...rest,
      })),
    };
  }
  const raft = await readRaft(caller);
  if (raft !== null && raft.length > 0) {
    return {
      source: 'raft',
      nodes: raft.map(({ node_id, address, leader, voter }): ClusterNode => ({
        ...unknownNode,
        name: node_id ?? address ?? '',
        cluster_address: address,
        role:
          leader === true ? 'leader' : voter === true ? 'voter' : voter === false ? 'non-voter' : 'unknown',
      })),
    };
  }
  const active = await readLeader(caller);
  if (active === null || active.leader_address === null) return { source: null, nodes: [] };
  const { leader_address: api_address, leader_cluster_address: cluster_address } = active;
  return {
    source: 'leader',
    nodes: [{ ...unknownNode, name: api_address, api_address, cluster_address, role: 'active' }],
  };
}

const unknownNode: ClusterNode = {
  name: '',
  api_address: null,
  cluster_address: null,
  role: 'unknown',
  last_echo: null,
  version: null,
};
