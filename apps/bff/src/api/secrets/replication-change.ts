/** What changes of a cluster's role have in common: they are sent once, and read again where their answers are lost. */
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

/** What the audit trail says of everything about replication: a secondary is called by its identifier. */
export const inReplication: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { secondary = '' } }) => ({ id: secondary }),
};

/** The call of one environment, made of that of another one. */
export function callAt(call: ServiceCall, environment: string): ServiceCall {
  return { params: { environment }, session: call.session, caller: call.caller };
}

/** Decides by what a cluster is whether something was done. */
export type Judge = (status: ReplicationStatus) => Became['outcome'];

/** A change that leads from one mode to another. */
export function changesMode(
  from: ReplicationStatus['mode'],
  to: ReplicationStatus['mode'],
): (status: ReplicationStatus) => Became['outcome'] {
  return ({ mode }) => (mode === to ? 'succeeded' : mode === from ? 'failed' : 'unknown');
}

/** Finds out by what the cluster is now. @param judge what that says of what was asked for */
export function atCluster(judge: (status: ReplicationStatus, wish: Wish) => Became['outcome']): WhatBecame {
  return async (context, call, _intent, wish) => ({
    outcome: judge(await readReplication(context, call), wish),
  });
}

/** A change of one cluster. */
export interface ClusterChange {
  readonly send: (caller: SecretsCaller) => Promise<readonly string[]>;
  readonly judge: Judge;
  /** Another cluster that takes part: nothing else is done to it meanwhile. */
  readonly other?: SecretsCaller | undefined;
  /** What is to be done once it has happened, before its outcome is read. */
  readonly after?: () => Promise<void>;
}

interface ChangingCall extends ServiceCall {
  readonly note: AuditNote;
}

/** How the trail and problems call a cluster. */
function clusterResource({ transport: { environment, service } }: SecretsCaller): Resource {
  return { environment, service, kind: 'cluster', id: environment };
}

/**
 * Sends a change once; where its answer is lost, what the cluster is by now says whether it was done. Changes of one cluster
 * wait for each other.
 * @throws ProblemError `outcome-unknown`, or what sending threw
 */
export async function changeCluster(
  context: Context,
  call: ChangingCall,
  change: ClusterChange,
): Promise<ReplicationChanged> {
  // Whoever begins a change of role doesn't end it by going away.
  const caller = await secretsCaller(context, call, true);
  return inTurns([caller, ...(change.other === undefined ? [] : [change.other])], async () => {
    const warnings = await sendOnce(context, call, caller, change);
    await change.after?.();
    return changed(context, call, warnings);
  });
}

/** Waits for the turns of clusters in one order, whoever asks: two that want the same two never wait for each other. */
function inTurns<Result>(callers: readonly SecretsCaller[], work: () => Promise<Result>): Promise<Result> {
  const resources = callers.map(clusterResource).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return resources.reduceRight((inner, resource) => () => inTurn(resource, inner), work)();
}

/** @returns what the server said; nothing where its answer was lost @throws ProblemError */
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

/** What a change has led to, as far as it can be read: what was done stays done. */
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
