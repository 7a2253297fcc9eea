/** Performance replication of the secrets server: cluster status, and operations that change it. */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/replication.ts';
import { atMost } from './at-most.ts';
import {
  activation,
  receivedFilter,
  replicationFilterFields,
  secondaryId,
} from './replication-secondaries.ts';
import {
  clusterNodes,
  lastKnownCluster,
  lostWritePage,
  replicationChanged,
  replicationComparison,
  replicationStatus,
  replicas,
  replicationTransition,
} from './replication-status.ts';
import { changeErrors, environmentParams, readErrors } from './secret-names.ts';
import { environmentId } from './service.ts';

/** Most lost writes of one page. */
export const lostWritePageLimit = 1000;

/** `host:port`, or empty for the server's configured address. */
const clusterAddress = z
  .string()
  .check(
    z.trim(),
    atMost(300, 'An address must be 300 characters or fewer.'),
    z.regex(
      /^(?:(?:https:\/\/)?(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5})?$/,
      'Enter an address such as vault-a.example:8201.',
    ),
  );

export const replication = defineResource(() => ({
  getStatus: defineEndpoint(at.replication.getStatus, {
    summary: "The cluster's role in replication, in less detail for callers who aren't signed in there",
    params: environmentParams,
    response: replicationStatus,
    errors: readErrors,
  }),
  listTransitions: defineEndpoint(at.replication.listTransitions, {
    summary: "Outcomes of changes to the cluster's role, newest first",
    params: environmentParams,
    /** Null if the server doesn't keep any. */
    response: z.object({ items: z.nullable(z.array(replicationTransition)) }),
    errors: readErrors,
  }),
  listLostWrites: defineEndpoint(at.replication.listLostWrites, {
    summary: 'Lost writes: accepted by the cluster but never seen by its primary, newest first',
    params: environmentParams,
    query: z.strictObject({
      /** Only writes older than the one with this ID. */
      before: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(lostWritePageLimit))),
    }),
    response: lostWritePage,
    errors: readErrors,
  }),
  deleteLostWrites: defineEndpoint(at.replication.deleteLostWrites, {
    summary: 'Delete handled lost writes: the given one and all found before it',
    params: environmentParams,
    body: z.strictObject({
      /** Deletes the write with this ID and all older ones. */
      up_to: z.int().check(z.gte(1)),
    }),
    response: z.object({
      /** Number of deleted writes; null if the server doesn't report it. */
      deleted: z.nullable(z.int()),
    }),
    errors: changeErrors,
  }),
  getLastKnown: defineEndpoint(at.replication.getLastKnown, {
    summary: "The last state read from a cluster, for when it can't be read",
    params: environmentParams,
    /** Null if never read. */
    response: z.object({ known: z.nullable(lastKnownCluster) }),
    errors: readErrors,
  }),
  getReplicas: defineEndpoint(at.replication.getReplicas, {
    summary:
      'The environments whose secrets servers replicate the same secrets, so that a change in one is a change in all',
    params: environmentParams,
    /** Null if it isn't replicated, or to none of the other environments as far as is known. */
    response: z.object({ replicas: z.nullable(replicas) }),
    errors: readErrors,
  }),
  compare: defineEndpoint(at.replication.compare, {
    summary: 'Compare the clusters of two environments by their positions and digests',
    params: environmentParams,
    query: z.strictObject({ with: environmentId }),
    response: replicationComparison,
    errors: readErrors,
  }),
  getNodes: defineEndpoint(at.replication.getNodes, {
    summary: 'The servers of the cluster and their roles, as far as the server reports them',
    params: environmentParams,
    response: clusterNodes,
    errors: readErrors,
  }),
  getReceivedFilter: defineEndpoint(at.replication.getReceivedFilter, {
    summary: 'What a secondary is configured not to receive',
    params: environmentParams,
    response: receivedFilter,
    errors: readErrors,
  }),
  writeCanary: defineEndpoint(at.replication.writeCanary, {
    summary: 'Write an empty entry, to tell an idle link from a stalled one',
    params: environmentParams,
    /** The entry's number; null if the server doesn't report it. */
    response: z.object({ seq: z.nullable(z.int()) }),
    errors: changeErrors,
  }),
  enablePrimary: defineEndpoint(at.replication.enablePrimary, {
    summary: 'Enable replication as a primary',
    params: environmentParams,
    body: z.strictObject({ primary_cluster_addr: z.optional(clusterAddress) }),
    response: replicationChanged,
    errors: changeErrors,
  }),
  demote: defineEndpoint(at.replication.demote, {
    summary: 'Demote a primary to a secondary without a primary; it keeps its cluster ID and data',
    params: environmentParams,
    response: replicationChanged,
    errors: changeErrors,
  }),
  disablePrimary: defineEndpoint(at.replication.disablePrimary, {
    summary: 'Disable replication on a primary; if enabled again, it has a new cluster ID',
    params: environmentParams,
    response: replicationChanged,
    errors: changeErrors,
  }),
  disableSecondary: defineEndpoint(at.replication.disableSecondary, {
    summary: 'Disable replication on a secondary; its data is cleared when it is enabled again',
    params: environmentParams,
    response: replicationChanged,
    errors: changeErrors,
  }),
  promote: defineEndpoint(at.replication.promote, {
    summary: 'Promote a secondary to primary',
    params: environmentParams,
    body: z.strictObject({
      primary_cluster_addr: z.optional(clusterAddress),
      /** Promotes even if writes may be lost. */
      force: z.optional(z.boolean()),
    }),
    response: replicationChanged,
    errors: changeErrors,
  }),
  updatePrimary: defineEndpoint(at.replication.updatePrimary, {
    summary: "Change a secondary's primary or the primary's address, or remove it",
    params: environmentParams,
    body: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('environment'),
        /** The environment of the new primary, which activates the secondary. */
        primary: environmentId,
        id: secondaryId,
        ...activation,
      }),
      z.strictObject({
        kind: z.literal('addresses'),
        /** New addresses of the same primary; the first that answers is kept. */
        addresses: z
          .array(clusterAddress.check(z.minLength(1, 'Enter an address.')))
          .check(z.minLength(1, 'Enter at least one address.'), z.maxLength(100)),
      }),
      z.strictObject({ kind: z.literal('forget') }),
    ]),
    response: replicationChanged,
    errors: changeErrors,
  }),
  addSecondary: defineEndpoint(at.replication.addSecondary, {
    summary: "Enable replication as a secondary of another environment's cluster; all data is cleared",
    params: environmentParams,
    body: z.strictObject({
      /** The environment of the primary, which activates this cluster. */
      primary: environmentId,
      id: secondaryId,
      ...activation,
      /**
       * Saved at the primary before anything is replicated. Without it, the primary's existing filter for the
       * identifier applies; without one, everything is replicated.
       */
      filter: z.optional(replicationFilterFields),
    }),
    response: replicationChanged,
    errors: changeErrors,
  }),
}));
