/** What all changes of a cluster's role share: each is sent once, and the cluster is read if the answer is lost. */
import type { ReplicationChanged, ReplicationStatus } from '@gatehouse/api-types/console/replication-status';
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import { outcomeUnknown, type Resource } from '#conflict/guarded-write.ts';
import { inTurn } from '#conflict/in-turn.ts';
import type { AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ResourceAudit, WhatBecame } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { secretsCaller } from './caller.ts';
import { readReplication } from './replication-status.ts';

/** How the audit trail identifies secondaries: by their identifier. */
export const inReplication: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { secondary = '' } }) => ({ id: secondary }),
};

/** Decides from a cluster's status whether a change was made. */
export type Judge = (status: ReplicationStatus) => Became['outcome'];

/** Judges a change from one mode to another. */
export function changesMode(
  from: ReplicationStatus['mode'],
  to: ReplicationStatus['mode'],
): (status: ReplicationStatus) => Became['outcome'] {
  return ({ mode }) => (mode === to ? 'succeeded' : mode === from ? 'failed' : 'unknown');
}

/** Finds out from the cluster's current status. @param judge whether the status shows that the change was made */
export function atCluster(judge: (status: ReplicationStatus, wish: Wish) => Became['outcome']): WhatBecame {
  return async (context, call, _intent, wish) => ({
    outcome: judge(await readReplication(context, call), wish),
  });
}

/** A change of one cluster. */
export interface ClusterChange {
  readonly send: (caller: SecretsCaller) => Promise<readonly string[]>;
  readonly judge: Judge;
  /** Another cluster that takes part. Its other changes wait. */
  readonly other?: SecretsCaller | undefined;
  /** Runs after the change, before its result is read. */
  readonly after?: () => Promise<void>;
}

/** The call of an operation that changes a cluster. */
export interface ChangingCall extends ServiceCall {
  readonly note: AuditNote;
}

/** A cluster in the trail and in problems. */
function clusterResource({ transport: { environment, service } }: SecretsCaller): Resource {
  return { environment, service, kind: 'cluster', id: environment };
}

/**
 * Sends a change once. If the answer is lost, the cluster's status shows whether the change was made. Changes of a
 * cluster take turns.
 * @throws ProblemError `outcome-unknown`, or the error of sending
 */
export async function changeCluster(
  context: Context,
  call: ChangingCall,
  change: ClusterChange,
): Promise<ReplicationChanged> {
  // A change of role continues when the user leaves.
  const caller = await secretsCaller(context, call, true);
  return inTurns([caller, ...(change.other === undefined ? [] : [change.other])], async () => {
    const warnings = await sendOnce(context, call, caller, change);
    await change.after?.();
    return changed(context, call, warnings);
  });
}

/** Waits for the turns of clusters in a fixed order, so that two changes of the same clusters can't deadlock. */
function inTurns<Result>(callers: readonly SecretsCaller[], work: () => Promise<Result>): Promise<Result> {
  const resources = callers.map(clusterResource).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return resources.reduceRight((inner, resource) => () => inTurn(resource, inner), work)();
}

/** @returns the server's warnings; none if the answer was lost @throws ProblemError */
async function sendOnce(
  context: Context,
  call: ServiceCall,
  caller: SecretsCaller,
  { send, judge }: ClusterChange,
): Promise<readonly string[]> {
  try {
    return await send(caller);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.delivery !== 'unknown') throw error;
    const status = await readReplication(context, call).catch((cause: unknown) => {
      throw outcomeUnknown({ resource: clusterResource(caller) }, cause);
    });
    if (judge(status) === 'succeeded') return [];
    throw outcomeUnknown({ resource: clusterResource(caller) }, error);
  }
}

/** The result of a change. A change that was made succeeds even if its result can't be read. */
async function changed(
  context: Context,
  call: ChangingCall,
  warnings: readonly string[],
): Promise<ReplicationChanged> {
  const status = await readReplication(context, call).catch((error: unknown) => {
    if (error instanceof ProblemError) return null;
    throw error;
  });
  if (status !== null && 'cluster_id' in status && status.cluster_id !== null)
    call.note.saw({ name: status.cluster_id });
  return { status, warnings: [...warnings], connected: status?.signed_in ?? true };
}
