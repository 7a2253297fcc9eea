import type { Request, Result, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { durationField, textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { clusterAddressField, requiredId } from './parameters.ts';

const place = 'replication/performance/primary';

/** The default lifetime of an activation token in seconds. */
const activationTtl = 1800;

/** sys/replication/performance/primary: enables, demotes or disables a primary, and manages its secondaries. */
export function replicationPrimaryRoutes({ replication }: Context): Route[] {
  return [
    {
      path: `${place}/enable`,
      fields: ['primary_cluster_addr'],
      operations: {
        update: async (request) => ({
          warnings: await replication.enablePrimary(byWhom(request), clusterAddressField(request.body)),
        }),
      },
    },
    {
      path: `${place}/demote`,
      fields: [],
      operations: {
        update: async (request) => ({ warnings: await replication.demotePrimary(byWhom(request)) }),
      },
    },
    {
      path: `${place}/disable`,
      fields: [],
      operations: {
        update: async (request) => ({ warnings: await replication.disablePrimary(byWhom(request)) }),
      },
    },
    {
      path: `${place}/secondary-token`,
      fields: ['id', 'ttl', 'secondary_public_key'],
      sudo: true,
      operations: { update: (request) => activate(replication, request) },
    },
    {
      path: `${place}/revoke-secondary`,
      fields: ['id'],
      operations: {
        update: async (request) => ({
          warnings: await replication.revokeSecondary(byWhom(request), requiredId(request.body)),
        }),
      },
    },
  ];
}

async function activate(replication: Context['replication'], request: Request): Promise<Result> {
  const { body, id: requestId, fullPath: path } = request;
  const ttl = durationField(body, 'ttl') ?? activationTtl;
  if (ttl <= 0) throw badRequest('ttl must be positive');
  const publicKey = textField(body, 'secondary_public_key') ?? '';
  const activation = await replication.activate(byWhom(request), request.caller, {
    requestId,
    path,
    name: requiredId(body),
    ttl,
    publicKey,
  });
  return 'token' in activation ? { data: { token: activation.token } } : { wrapInfo: activation.wrapInfo };
}

/** The caller's display name for the log of transitions. */
export function byWhom({ caller }: Request): string {
  return caller?.displayName ?? '';
}
