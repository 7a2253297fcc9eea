import {
  replicationFilterFields,
  type FilteredItem,
  type ReplicationFilter,
  type ReplicationFilterFields,
} from '@gatehouse/api-types/console/replication-secondaries';
import type { ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import { turnsByKey } from '@gatehouse/service-kit/turns';
import { type Became, cannotTell } from '#audit/became.ts';
import { guardedWrite, guardedDelete } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation, compressed } from '#operation/operation.ts';
import { listEverything } from '#upstreams/secrets-server/namespaces.ts';
import { change, createToken } from '#upstreams/secrets-server/replication-changes.ts';
import { deleteFilter } from '#upstreams/secrets-server/replication.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { secretsCaller } from '../caller.ts';
import { inReplication, atCluster, changeCluster } from '../replication-change.ts';
import {
  applyFilter,
  filterResource,
  isFilter,
  readFilterOf,
  normal,
  receives,
} from '../replication-filter.ts';
import { whatFailed } from '../stored-secret.ts';
import { wished } from '../wished.ts';

/** The only operation that lets an activation token leave the console. */
const createActivationToken: Operation<'replicationSecondaries.createToken'> = audited(
  { address: ({ body }) => ({ id: body.id }), became: cannotTell },
  async (context, call) => {
    const { id, ttl, secondary_public_key: publicKey } = call.body;
    // Continues when the caller leaves, so that a created token is recorded.
    const caller = await secretsCaller(context, call, true);
    const created = await createToken(caller, {
      id,
      ttl,
      publicKey: publicKey === '' ? undefined : publicKey,
    }).catch((error: unknown) => {
      throw error instanceof ServiceError && error.delivery === 'unknown' ? perhapsCreated(error) : error;
    });
    const { token, encrypted, expires } = created;
    return { token, encrypted, expire_time: expires === null ? null : new Date(expires).toISOString() };
  },
);

const deleteReplicationFilter: Operation<'replicationSecondaries.deleteFilter'> = audited(
  {
    became: async (context, call, intent, wish) => {
      const id = wish.params['secondary'] ?? intent.resource_id;
      const stored = await readFilterOf(await secretsCaller(context, call), id);
      return { outcome: stored.configured ? 'failed' : 'succeeded' };
    },
  },
  async (context, call) => {
    const { secondary } = call.params;
    const caller = await secretsCaller(context, call);
    await guardedDelete({
      resource: filterResource(caller, secondary),
      expected: call.revision,
      read: async () => {
        const stored = await readFilterOf(caller, secondary);
        return stored.configured ? stored : null;
      },
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      remove: () => deleteFilter(caller, secondary),
    });
  },
);

const getReplicationFilter: Operation<'replicationSecondaries.getFilter'> = async (context, call) =>
  readFilterOf(await secretsCaller(context, call), call.params.secondary);

const everything: ReplicationFilterFields = { mode: 'all', paths: [] };

/** Previews at once in an environment: each keeps all its mounts and namespaces in memory. */
const previewInTurn = turnsByKey({ atOnce: 4, ownAtOnce: 1, mostOwn: Infinity, mostWaiting: Infinity });

const previewReplicationFilter: Operation<'replicationSecondaries.previewFilter'> = compressed(
  async (context, call) => {
    const { body, session, slices } = call;
    const { secondary, mode, paths } = body;
    const caller = await secretsCaller(context, call);
    const preview = async () => {
      const [found, before] = await Promise.all([
        listEverything(caller, slices),
        secondary === undefined ? everything : readFilterOf(caller, secondary),
      ]);
      const after = normal(paths);
      const receivesNow = receives(before);
      const willReceive = receives({ mode, paths: after });
      const items: FilteredItem[] = [];
      for (const item of found.items) {
        await slices.giveWay();
        items.push({ ...item, received: receivesNow(item), will_be_received: willReceive(item) });
      }
      const existing = new Set(items.map(({ path }) => path));
      return { ...found, items, unmatched: after.filter((path) => !existing.has(path)) };
    };
    return previewInTurn(call.params.environment, session.account, preview, call.caller.signal);
  },
);

const revokeSecondary: Operation<'replicationSecondaries.revoke'> = audited(
  { became: atCluster((status, { params }) => judge(status, params['secondary'])) },
  (context, call) => {
    const { secondary: id } = call.params;
    return changeCluster(context, call, {
      judge: (status) => judge(status, id),
      send: (caller) => change(caller, 'primary/revoke-secondary', { id }),
    });
  },
);

const saveReplicationFilter: Operation<'replicationSecondaries.saveFilter'> = audited(
  {
    became: async (context, call, intent, wish) => {
      const id = wish.params['secondary'] ?? intent.resource_id;
      const stored = await readFilterOf(await secretsCaller(context, call), id);
      const sent = wished(replicationFilterFields, wish);
      if (sent !== undefined && isFilter(stored, sent))
        return { outcome: 'succeeded', stored: { id, revision: stored.revision } };
      return { outcome: stored.revision === wish.revision ? 'failed' : 'unknown' };
    },
  },
  async (context, call) => {
    const { secondary } = call.params;
    const caller = await secretsCaller(context, call);
    return guardedWrite<ReplicationFilter>({
      note: call.note,
      resource: filterResource(caller, secondary),
      expected: call.revision,
      readFirst: true,
      read: () => readFilterOf(caller, secondary),
      revisionOf: ({ revision }) => revision,
      failed: whatFailed,
      send: async () => {
        await applyFilter(caller, secondary, call.body);
        return readFilterOf(caller, secondary);
      },
      equalsSent: (stored) => isFilter(stored, call.body),
    });
  },
);

export const replicationSecondaryOperations = resource(inReplication, {
  'replicationSecondaries.createToken': createActivationToken,
  'replicationSecondaries.revoke': revokeSecondary,
  'replicationSecondaries.getFilter': getReplicationFilter,
  'replicationSecondaries.saveFilter': saveReplicationFilter,
  'replicationSecondaries.deleteFilter': deleteReplicationFilter,
  'replicationSecondaries.previewFilter': previewReplicationFilter,
});

function judge(status: ReplicationStatus, id: string | undefined): Became['outcome'] {
  if (status.mode !== 'primary') return 'unknown';
  return status.secondaries.some((one) => one.id === id) ? 'failed' : 'succeeded';
}

function perhapsCreated(cause: ServiceError): ProblemError {
  const { service, environment } = cause.init;
  return new ProblemError(
    'outcome-unknown',
    "The server didn't say whether it created an activation token. If it did, the token is lost: revoke the secondary with this identifier, then create another token.",
    { ...(service !== undefined && { service }), ...(environment !== undefined && { environment }), cause },
  );
}
