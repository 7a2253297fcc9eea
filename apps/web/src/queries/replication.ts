/** Replication of the secrets server: the clusters' roles and relations, and changes to them. */
import * as at from '@gatehouse/api-types/console/addresses/replication';
import { lastKnownOf } from '@gatehouse/api-types/console/last-known-of';
import type { ReplicationFilter } from '@gatehouse/api-types/console/replication-secondaries';
import type {
  LastKnownCluster,
  ReplicationChanged,
  ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { isApiError, type ApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';
import { putAnswer, queryClient } from '#lib/query-client.ts';
import type { CallContext, LifeCalls } from './records.ts';
import { connectionsQuery } from './session.ts';

/** A cluster's status, or why it is unknown: that a cluster doesn't answer is news too. */
export type StatusReading =
  | { readonly status: ReplicationStatus; readonly error?: undefined; readonly readAt: number }
  | { readonly status?: undefined; readonly error: ApiError; readonly readAt: number };

const allKey = (environment: string) => [environment, 'secrets', 'replication'] as const;
const clustersKey = 'clusters';
/** Names no service: the status is public, so an answer says nothing about the connection. */
const statusKey = (environment: string) => [clustersKey, environment] as const;

async function readStatus(environment: string, context: CallContext): Promise<StatusReading> {
  try {
    const status = await call(at.replication.getStatus, { params: { environment }, ...context });
    const readAt = Date.now();
    const known: LastKnownCluster = { time: new Date(readAt).toISOString(), ...lastKnownOf(status) };
    queryClient.setQueryData(lastKnownQuery(environment).queryKey, known);
    return { status, readAt };
  } catch (error) {
    if (!isApiError(error) || isApiError(error, 'unauthenticated')) throw error;
    return { error, readAt: Date.now() };
  }
}

export const replicationQuery = (environment: string) =>
  queryOptions({
    queryKey: statusKey(environment),
    queryFn: ({ signal }) => readStatus(environment, { signal }),
    staleTime: 3_000,
  });

/** The environments with the same secrets; null if there are none. */
export const replicasQuery = (environment: string) =>
  queryOptions({
    queryKey: ['replicas', environment] as const,
    queryFn: async ({ signal }) =>
      (await call(at.replication.getReplicas, { params: { environment }, signal })).replicas,
    staleTime: 15_000,
  });

/** The last status that this page or the console read, for when none can be read. Null if none. */
export const lastKnownQuery = (environment: string) =>
  queryOptions({
    queryKey: ['last-known-cluster', environment] as const,
    queryFn: async ({ signal }): Promise<LastKnownCluster | null> =>
      (await call(at.replication.getLastKnown, { params: { environment }, signal })).known,
    staleTime: Infinity,
    retry: false,
  });

/**
 * Newest first; null if the server records none.
 * @param role of the cluster, so that a change of role, by anyone, reads them again
 */
export const transitionsQuery = (environment: string, role: string) =>
  queryOptions({
    queryKey: [...allKey(environment), 'transitions', role],
    queryFn: async ({ signal }) =>
      (await call(at.replication.listTransitions, { params: { environment }, signal })).items,
  });

const lostKey = (environment: string, state: string) => [...allKey(environment), 'lost', state] as const;
const lostPage = 50;

/** Newest first, in pages. @param state what they depend on, so that its change reads them again */
export const lostWritesQuery = (environment: string, state: string) =>
  infiniteQueryOptions({
    queryKey: lostKey(environment, state),
    queryFn: ({ pageParam, signal }) =>
      call(at.replication.listLostWrites, {
        params: { environment },
        query: { limit: lostPage, ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ items }) => {
      const last = items?.at(-1)?.id ?? undefined;
      return items !== null && items.length === lostPage ? last : undefined;
    },
  });

/** Whether a cluster has lost writes. */
export const anyLostQuery = (environment: string, state: string) =>
  queryOptions({
    queryKey: [...lostKey(environment, state), 'any'],
    queryFn: async ({ signal }) => {
      const { items } = await call(at.replication.listLostWrites, {
        params: { environment },
        query: { limit: 1 },
        signal,
      });
      return (items ?? []).length > 0;
    },
    retry: false,
  });

export const clusterNodesQuery = (environment: string) =>
  queryOptions({
    queryKey: [...allKey(environment), 'nodes'],
    queryFn: ({ signal }) => call(at.replication.getNodes, { params: { environment }, signal }),
  });

/** Compares the positions and digests of two clusters. Slow: the servers read all replicated data. */
export function compareClusters(environment: string, other: string) {
  return call(at.replication.compare, { params: { environment }, query: { with: other } });
}

/** The filter that a secondary received from its primary, even if none was saved for it. */
export const receivedFilterQuery = (environment: string) =>
  queryOptions({
    queryKey: [...allKey(environment), 'received'],
    queryFn: ({ signal }) => call(at.replication.getReceivedFilter, { params: { environment }, signal }),
    retry: false,
  });

const filterKey = (environment: string, secondary: string) =>
  [...allKey(environment), 'filter', secondary] as const;

const readFilter = (environment: string, secondary: string, context: CallContext) =>
  call(at.replicationSecondaries.getFilter, { params: { environment, secondary }, ...context });

export const replicationFilterQuery = (environment: string, secondary: string) =>
  queryOptions({
    queryKey: filterKey(environment, secondary),
    queryFn: ({ signal }) => readFilter(environment, secondary, { signal }),
    staleTime: 30_000,
    retry: false,
  });

type FilterFields = Pick<ReplicationFilter, 'mode' | 'paths'>;

/** A primary's filters, addressed by the IDs of its secondaries. */
export const replicationFilters: LifeCalls<ReplicationFilter, never, FilterFields> = {
  key: 'replication-filters',
  touches: [],
  cache: {
    keyOf: filterKey,
    keep: (queryClient, environment, filter) => {
      putAnswer(queryClient, filterKey(environment, filter.secondary), filter);
      stale(queryClient, environment);
    },
    forget: (queryClient, environment, secondary) => {
      queryClient.removeQueries({ queryKey: filterKey(environment, secondary) });
      stale(queryClient, environment);
    },
  },
  get: readFilter,
  update: (environment, secondary, guard, { mode, paths }) =>
    call(at.replicationSecondaries.saveFilter, {
      params: { environment, secondary },
      ...guard,
      body: { mode, paths },
    }),
  remove: {
    harm: at.replicationSecondaries.deleteFilter.harm,
    run: async (environment, secondary, revision) => {
      await call(at.replicationSecondaries.deleteFilter, { params: { environment, secondary }, revision });
    },
  },
};

/** The mounts and namespaces that a filter would replicate. */
export const filterPreviewQuery = (
  environment: string,
  { secondary, mode, paths }: FilterFields & { readonly secondary?: string },
) =>
  queryOptions({
    queryKey: [...allKey(environment), 'preview', secondary ?? '', mode, ...paths],
    queryFn: ({ signal }) =>
      call(at.replicationSecondaries.previewFilter, {
        params: { environment },
        body: { mode, paths, ...(secondary !== undefined && { secondary }) },
        signal,
        // Only reads, despite the method: a missing connection is reported where the preview is shown.
        poll: true,
      }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  });

/** Every mount and namespace of a cluster that the user may see. */
export const mountsAndNamespacesQuery = (environment: string) =>
  filterPreviewQuery(environment, { mode: 'all', paths: [] });

/** How a cluster reaches its future primary. The servers decide omitted fields. */
export interface ActivationFields {
  readonly ttl?: string;
  readonly primary_api_addr?: string;
  readonly ca_file?: string;
  readonly ca_path?: string;
}

export interface NewSecondary extends ActivationFields {
  /** The environment of the primary. */
  readonly primary: string;
  readonly id: string;
  readonly filter?: FilterFields;
}

export type NextPrimary =
  | (ActivationFields & { readonly kind: 'environment'; readonly primary: string; readonly id: string })
  | { readonly kind: 'addresses'; readonly addresses: string[] }
  | { readonly kind: 'forget' };

/**
 * Changes of clusters. Each resolves when the server has accepted it, though it may still be in progress.
 * After each, also a failed one, the status of all clusters is read again.
 */
export function useReplicationWrites() {
  const queryClient = useQueryClient();
  const writing = async <Answer>(environment: string, write: Promise<Answer>): Promise<Answer> => {
    try {
      return await write;
    } finally {
      stale(queryClient, environment);
      // Tokens of a wiped cluster no longer exist.
      void queryClient.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    }
  };
  const to = (environment: string) => ({ params: { environment } });
  const secondaryAt = (environment: string, secondary: string) => ({ params: { environment, secondary } });
  return {
    enablePrimary: (environment: string, address?: string): Promise<ReplicationChanged> =>
      writing(
        environment,
        call(at.replication.enablePrimary, {
          ...to(environment),
          body: address === undefined ? {} : { primary_cluster_addr: address },
        }),
      ),
    demote: (environment: string): Promise<ReplicationChanged> =>
      writing(environment, call(at.replication.demote, to(environment))),
    disable: (environment: string, mode: 'primary' | 'secondary'): Promise<ReplicationChanged> =>
      writing(
        environment,
        mode === 'primary'
          ? call(at.replication.disablePrimary, to(environment))
          : call(at.replication.disableSecondary, to(environment)),
      ),
    promote: (
      environment: string,
      { address, force }: { readonly address?: string; readonly force?: boolean } = {},
    ): Promise<ReplicationChanged> =>
      writing(
        environment,
        call(at.replication.promote, {
          ...to(environment),
          body: {
            ...(address !== undefined && { primary_cluster_addr: address }),
            ...(force === true && { force }),
          },
        }),
      ),
    updatePrimary: (environment: string, body: NextPrimary): Promise<ReplicationChanged> =>
      writing(environment, call(at.replication.updatePrimary, { ...to(environment), body })),
    addSecondary: (environment: string, body: NewSecondary): Promise<ReplicationChanged> =>
      writing(environment, call(at.replication.addSecondary, { ...to(environment), body })),
    revoke: (environment: string, secondary: string): Promise<ReplicationChanged> =>
      writing(environment, call(at.replicationSecondaries.revoke, secondaryAt(environment, secondary))),
    saveFilter: (
      environment: string,
      secondary: string,
      revision: string,
      { mode, paths }: FilterFields,
    ): Promise<unknown> =>
      writing(
        environment,
        call(at.replicationSecondaries.saveFilter, {
          ...secondaryAt(environment, secondary),
          revision,
          body: { mode, paths },
        }),
      ),
    /** @param upTo the ID of the newest one to delete */
    deleteLostWrites: (environment: string, upTo: number): Promise<unknown> =>
      writing(
        environment,
        call(at.replication.deleteLostWrites, { ...to(environment), body: { up_to: upTo } }),
      ),
    writeCanary: (environment: string): Promise<{ readonly seq: number | null }> =>
      writing(environment, call(at.replication.writeCanary, to(environment))),
  };
}

/** Creates an activation token to show once. Not a mutation, because a mutation would cache it. */
export function createActivationToken(
  environment: string,
  body: { id: string; ttl?: string; secondary_public_key?: string },
) {
  return call(at.replicationSecondaries.createToken, { params: { environment }, body });
}

/** A change of one cluster affects all that it replicates with. */
function stale(queryClient: QueryClient, environment: string): void {
  void queryClient.invalidateQueries({ queryKey: allKey(environment) });
  void queryClient.invalidateQueries({ queryKey: [clustersKey] });
  void queryClient.invalidateQueries({ queryKey: ['replicas'] });
}
