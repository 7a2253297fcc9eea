import type { Endpoints } from '@gatehouse/api-types/console/endpoints';
import { harmOfNewPrimary, harmOfPromotion } from '@gatehouse/api-types/console/harm-of';
import { replication } from '@gatehouse/api-types/console/replication';
import type {
  ReplicationStatus,
  ReplicationTransition,
  ClusterNode,
  ClusterNodes,
  ComparedCluster,
  ReplicationDigest,
} from '@gatehouse/api-types/console/replication-status';
import type { BodyOf } from '@gatehouse/api-types/contract';
import { cannotTell, type Became } from '#audit/became.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { type SecretsCaller, isAnswer } from '#upstreams/secrets-server/client.ts';
import {
  readClusterHealth,
  readHaStatus,
  readLeader,
  readRaft,
} from '#upstreams/secrets-server/cluster-nodes.ts';
import {
  writeCanary as write,
  change,
  deleteLost,
  type ReplicationChange,
} from '#upstreams/secrets-server/replication-changes.ts';
import {
  listTransitions,
  listLost,
  readReceivedFilter,
  readStatus,
  readDigest,
} from '#upstreams/secrets-server/replication.ts';
import { activate, checkMode, demandForPrimary, leaderOf } from '../activation.ts';
import { callAt, secretsCaller } from '../caller.ts';
import {
  inReplication,
  atCluster,
  changeCluster,
  changesMode,
  type ChangingCall,
} from '../replication-change.ts';
import { readReplication } from '../replication-status.ts';
import { wished } from '../wished.ts';
import { addSecondary } from './add-secondary.ts';

/** Compares two clusters. If one is the other's primary, only the records that its filter lets through are compared. */
const compareClusters: Operation<'replication.compare'> = async (context, call) => {
  const other = callAt(call, call.query.with);
  const [here, there] = await Promise.all([readReplication(context, call), readReplication(context, other)]);
  const filteredFor = followerOf(here, there) ?? followerOf(there, here);
  const of = (status: ReplicationStatus) => (status.mode === 'primary' ? filteredFor : undefined);
  const clusters = await Promise.all([
    compared(context, call, here, of(here)),
    compared(context, other, there, of(there)),
  ]);
  const [one, two] = clusters;
  const behind = one.seq === null || two.seq === null ? null : one.seq - two.seq;
  return { clusters, filtered_for: filteredFor ?? null, same: areSame(one, two), behind };
};

/** A change of a cluster's role in which no other cluster takes part. @param bodyOf what the server is sent */
function roleChange<Body>(
  from: ReplicationStatus['mode'],
  to: ReplicationStatus['mode'],
  path: ReplicationChange,
  bodyOf: (body: Body) => Readonly<Record<string, unknown>> = () => ({}),
) {
  const judge = changesMode(from, to);
  return audited(
    { became: atCluster(judge) },
    (context: Context, call: ChangingCall & { readonly body: Body }) =>
      changeCluster(context, call, { judge, send: (caller) => change(caller, path, bodyOf(call.body)) }),
  );
}

const addressIn = ({ primary_cluster_addr = '' }: { readonly primary_cluster_addr?: string | undefined }) =>
  primary_cluster_addr === '' ? {} : { primary_cluster_addr };

const promoteSecondary: Operation<'replication.promote'> = Object.assign(
  roleChange(
    'secondary',
    'primary',
    'secondary/promote',
    ({ force, ...body }: BodyOf<Endpoints['replication']['promote']>) => ({
      ...addressIn(body),
      ...(force === true && { force }),
    }),
  ),
  {
    harm: ({ body }: { readonly body: BodyOf<Endpoints['replication']['promote']> }) => harmOfPromotion(body),
  },
);

const deleteLostWrites: Operation<'replication.deleteLostWrites'> = audited(
  {
    became: async (context, call, _intent, { body }) => {
      const upTo = Number(body['up_to']);
      const left = await listLost(await secretsCaller(context, call), { before: upTo + 1, limit: 1 });
      if (left === null) return { outcome: 'unknown' };
      return { outcome: left.lost.length === 0 ? 'succeeded' : 'failed' };
    },
  },
  async (context, call) => ({
    deleted: await deleteLost(await secretsCaller(context, call, true), call.body.up_to),
  }),
);

const getLastKnownCluster: Operation<'replication.getLastKnown'> = async (context, call) => {
  const { environment } = context.directory.secrets(call.params.environment).transport;
  return { known: await context.knownClusters.of(environment) };
};

const getReplicas: Operation<'replication.getReplicas'> = async ({ directory, replicasOf }, { params }) => {
  const { environment } = directory.secrets(params.environment).transport;
  return { replicas: await replicasOf(environment) };
};

/** A cluster's servers, as reported by shared storage or integrated storage, or only the leader. */
const getClusterNodes: Operation<'replication.getNodes'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const [health, nodes] = await Promise.all([readClusterHealth(caller), readNodes(caller)]);
  return { ...nodes, cluster_name: health?.cluster_name ?? null, cluster_id: health?.cluster_id ?? null };
};

const unknownNode: ClusterNode = {
  name: '',
  api_address: null,
  cluster_address: null,
  role: 'unknown',
  last_echo: null,
  version: null,
};

/** Read by the secondary's own identifier; unknown if it has none. */
const getReceivedFilter: Operation<'replication.getReceivedFilter'> = async (context, call) => {
  const caller = await secretsCaller(context, call);
  const id = (await readStatus(caller))?.secondary_id ?? null;
  return id === null ? { mounts: null, namespaces: null } : readReceivedFilter(caller, id);
};

const getReplicationStatus: Operation<'replication.getStatus'> = async (context, call) => {
  const status = await readReplication(context, call);
  await context.knownClusters.keep(call.params.environment, status);
  return status;
};

const listLostWrites: Operation<'replication.listLostWrites'> = compressed(async (context, call) => {
  const found = await listLost(await secretsCaller(context, call), call.query);
  return { items: found?.lost ?? null, total: found?.total ?? null };
});

type Outcome = ReplicationTransition['outcome'];

const outcomes: Readonly<Record<string, Outcome>> = { done: 'done', refused: 'refused', failed: 'failed' };

const listReplicationTransitions: Operation<'replication.listTransitions'> = async (context, call) => {
  const found = await listTransitions(await secretsCaller(context, call));
  return {
    items:
      found
        ?.map(({ outcome, ...rest }) => ({
          ...rest,
          outcome: outcomes[outcome ?? ''] ?? 'unknown',
        }))
        .sort((a, b) => Date.parse(b.time) - Date.parse(a.time)) ?? null,
  };
};

type Body = BodyOf<Endpoints['replication']['updatePrimary']>;

const updatePrimary: Operation<'replication.updatePrimary'> = audited(
  {
    address: ({ body }) =>
      body.kind === 'environment'
        ? { id: body.id, paths: [`kind=${body.kind}`, `primary=${body.primary}`] }
        : { paths: [`kind=${body.kind}`] },
    harm: ({ body }) => harmOfNewPrimary(body.kind),
    precondition: async (context, call) => {
      if (call.body.kind === 'environment') await demandForPrimary(context, call, call.body.primary);
    },
    became: atCluster((status, wish) => judge(status, wished(replication.updatePrimary.body, wish)?.kind)),
  },
  async (context, call) => {
    const { body } = call;
    const leader = body.kind === 'environment' ? await leaderOf(context, call, body) : undefined;
    return changeCluster(context, call, {
      other: leader,
      judge: (status) => judge(status, body.kind),
      send: async (caller) => {
        if (body.kind === 'environment' && leader !== undefined) {
          await checkMode(caller, 'secondary');
          return activate(leader, caller, body, 'secondary/update-primary', call.note);
        }
        return change(
          caller,
          'secondary/update-primary',
          body.kind === 'addresses' ? { update_primary_addrs: body.addresses } : { token: '' },
        );
      },
    });
  },
);

const writeCanary: Operation<'replication.writeCanary'> = audited(
  { became: cannotTell },
  async (context, call) => ({ seq: await write(await secretsCaller(context, call)) }),
);

export const replicationOperations = resource(inReplication, {
  'replication.getStatus': getReplicationStatus,
  'replication.listTransitions': listReplicationTransitions,
  'replication.listLostWrites': listLostWrites,
  'replication.deleteLostWrites': deleteLostWrites,
  'replication.getLastKnown': getLastKnownCluster,
  'replication.getReplicas': getReplicas,
  'replication.compare': compareClusters,
  'replication.getNodes': getClusterNodes,
  'replication.getReceivedFilter': getReceivedFilter,
  'replication.writeCanary': writeCanary,
  'replication.enablePrimary': roleChange('disabled', 'primary', 'primary/enable', addressIn),
  'replication.demote': roleChange('primary', 'secondary', 'primary/demote'),
  'replication.disablePrimary': roleChange('primary', 'disabled', 'primary/disable'),
  'replication.disableSecondary': roleChange('secondary', 'disabled', 'secondary/disable'),
  'replication.promote': promoteSecondary,
  'replication.updatePrimary': updatePrimary,
  'replication.addSecondary': addSecondary,
});

/** A secondary's addresses don't show whether its primary is the new one. */
function judge(status: ReplicationStatus, kind: Body['kind'] | undefined): Became['outcome'] {
  if (status.mode !== 'secondary' || kind !== 'forget') return 'unknown';
  return status.primary === null ? 'succeeded' : 'failed';
}

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

/** The identifier of a secondary if the other cluster is its primary. */
function followerOf(primary: ReplicationStatus, secondary: ReplicationStatus): string | undefined {
  if (primary.mode !== 'primary' || secondary.mode !== 'secondary') return undefined;
  return primary.secondaries.find(
    ({ id, cluster_id }) =>
      id === secondary.secondary_id || (cluster_id !== null && cluster_id === secondary.cluster_id),
  )?.id;
}

async function compared(
  context: Context,
  call: ServiceCall,
  status: ReplicationStatus,
  secondary: string | undefined,
): Promise<ComparedCluster> {
  const digest = await digestOf(context, call, status, secondary);
  return {
    environment: call.params.environment,
    mode: status.mode,
    cluster_id: 'cluster_id' in status ? status.cluster_id : null,
    seq: digest?.seq ?? ('last_seq' in status ? status.last_seq : null),
    digest,
  };
}

/** A cluster's digest; null without a replication role or the right to read it, or while receiving all records. */
async function digestOf(
  context: Context,
  call: ServiceCall,
  { mode, signed_in }: ReplicationStatus,
  secondary: string | undefined,
): Promise<ReplicationDigest | null> {
  if (!signed_in || (mode !== 'primary' && mode !== 'secondary')) return null;
  try {
    return await readDigest(await secretsCaller(context, call), secondary);
  } catch (error) {
    if (isAnswer(error, 400, 403) && error.code !== 'not-connected') return null;
    throw error;
  }
}

/** Digests at different positions can't be compared. */
function areSame(one: ComparedCluster, two: ComparedCluster): boolean | null {
  if (one.digest === null || two.digest === null) return null;
  if (one.digest.seq !== two.digest.seq || one.digest.epoch !== two.digest.epoch) return null;
  return one.digest.digest === two.digest.digest && one.digest.records === two.digest.records;
}
