/** Reads a server's replication. */
import {
  dynamicFilter,
  lostWrites,
  pathsFilter,
  replicationDigest,
  replicationStatus,
  replicationTransitions,
  type WireReplicationStatus,
} from '@gatehouse/api-types/services/secrets-replication';
import { buildPath } from '../path.ts';
import type { ServiceAnswer } from '../transport.ts';
import { isAnswer, type SecretsCaller } from './client.ts';
import { askFor } from './refusals.ts';
import { readRules, filterRules } from './replication-refusals.ts';

/** The path of performance replication, for policies and requests. */
const place = 'sys/replication/performance';

/** The address of a replication request. @param names segments below the replication path */
export function replicationPath(
  { transport }: SecretsCaller,
  names: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return buildPath(`${transport.prefix}/v1/${place}`, names, { query });
}

/** The path of a replication request as policies name it. */
export function replicationPolicyPath(...names: readonly string[]): string {
  return [place, ...names].join('/');
}

/** Awaits a request; null if the server doesn't have the operation. @param also other statuses that mean the same */
export async function whereThere<Found>(asked: Promise<Found>, ...also: number[]): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (isAnswer(error, 404, 405, ...also)) return null;
    throw error;
  }
}

/**
 * The server's replication status. It needs no token, but a token gets more.
 * @returns null if the server has no replication
 */
export async function readStatus(caller: SecretsCaller): Promise<WireReplicationStatus | null> {
  const answer = await whereThere(caller.send({ method: 'GET', path: replicationPath(caller, ['status']) }));
  return answer === null ? null : (await caller.transport.parse(replicationStatus, answer)).data;
}

/** Reads an operation's answer; null if the server doesn't have the operation. */
function readWhereThere(
  caller: SecretsCaller,
  names: readonly string[],
  query?: Readonly<Record<string, string | undefined>>,
): Promise<ServiceAnswer | null> {
  const path = replicationPath(caller, names, query);
  return whereThere(askFor(caller, { method: 'GET', path }, readRules));
}

type Transition = Awaited<ReturnType<typeof replicationTransitionsOf>>[number];

async function replicationTransitionsOf({ transport }: SecretsCaller, answer: ServiceAnswer) {
  return (await transport.parse(replicationTransitions, answer)).data.transitions;
}

/** The recorded changes of the cluster's role; null if the server keeps none. */
export async function listTransitions(caller: SecretsCaller): Promise<readonly Transition[] | null> {
  const answer = await readWhereThere(caller, ['transitions']);
  return answer === null ? null : replicationTransitionsOf(caller, answer);
}

/** Writes that this cluster accepted and the primary never received, newest first; null if the server keeps none. */
export async function listLost(
  caller: SecretsCaller,
  { before, limit }: { readonly before?: number | undefined; readonly limit?: number | undefined } = {},
) {
  const answer = await readWhereThere(caller, ['lost'], {
    before: before?.toString(),
    limit: limit?.toString(),
  });
  return answer === null ? null : (await caller.transport.parse(lostWrites, answer)).data;
}

/**
 * The digest of the replicated records.
 * @param secondary to get the expected digest of this secondary from its primary
 * @returns null if the server has none
 */
export async function readDigest(caller: SecretsCaller, secondary?: string) {
  const answer = await readWhereThere(caller, ['digest'], { secondary });
  if (answer === null) return null;
  const { epoch, ...digest } = (await caller.transport.parse(replicationDigest, answer)).data;
  return { ...digest, epoch: epoch ?? '' };
}

/** A stored filter: paths with a trailing slash. */
export interface WireFilter {
  readonly mode: 'allow' | 'deny';
  readonly paths: readonly string[];
}

/** @returns null if the secondary has no filter @throws ServiceError */
export async function readFilter(caller: SecretsCaller, secondary: string): Promise<WireFilter | null> {
  const path = replicationPath(caller, ['primary', 'paths-filter', secondary]);
  const answer = await askFor(caller, { method: 'GET', path }, filterRules);
  if (answer?.body === undefined) return null;
  const { data } = await caller.transport.parse(pathsFilter, answer);
  if (data === undefined || data === null || data.mode === null) return null;
  return { mode: data.mode === 'deny' ? 'deny' : 'allow', paths: data.paths };
}

export async function writeFilter(
  caller: SecretsCaller,
  secondary: string,
  { mode, paths }: WireFilter,
): Promise<void> {
  const path = replicationPath(caller, ['primary', 'paths-filter', secondary]);
  await askFor(caller, { method: 'POST', path, body: { mode, paths } }, filterRules);
}

/** Deletes a filter, if it exists. */
export async function deleteFilter(caller: SecretsCaller, secondary: string): Promise<void> {
  const path = replicationPath(caller, ['primary', 'paths-filter', secondary]);
  await askFor(caller, { method: 'DELETE', path }, filterRules);
}

/** What a secondary doesn't receive, by its own identifier. @returns null lists if the server doesn't report them */
export async function readReceivedFilter(
  caller: SecretsCaller,
  secondary: string,
): Promise<{ readonly mounts: string[] | null; readonly namespaces: string[] | null }> {
  const answer = await readWhereThere(caller, ['secondary', 'dynamic-filter', secondary]);
  if (answer?.body === undefined) return { mounts: null, namespaces: null };
  const { data } = await caller.transport.parse(dynamicFilter, answer);
  return {
    mounts: data?.dynamic_filtered_mounts ?? null,
    namespaces: data?.dynamic_filtered_namespaces ?? null,
  };
}
