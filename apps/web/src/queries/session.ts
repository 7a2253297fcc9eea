/** The session, the user's other sessions, and the connection to each service. */
import * as at from '@gatehouse/api-types/console/addresses/session';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Connection, Credentials, Session } from '@gatehouse/api-types/console/session';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, holdReads } from '#lib/api.ts';
import { putAnswer } from '#lib/query-client.ts';
import { adoptSession, foundSession, hasOwner } from '#lib/session.ts';

const sessionKey = ['session'] as const;

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call(at.session.getSignInOptions, { signal }),
  staleTime: 60_000,
});

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => {
    const session = await currentSession(signal);
    adoptSession(session);
    return session;
  },
  staleTime: Infinity,
});

/** Until the page has a user, it asks whether a session exists; afterwards a missing one is an error. */
async function currentSession(signal: AbortSignal): Promise<Session> {
  if (hasOwner()) return call(at.session.get, { signal });
  return foundSession(await call(at.session.find, { signal }));
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await call(at.sessions.list, { signal })).sessions,
});

const connectionsKey = ['connections'] as const;

export const connectionsQuery = queryOptions({
  queryKey: connectionsKey,
  queryFn: async ({ signal }) => (await call(at.connections.list, { signal })).connections,
});

/** The connection to a service of an environment; undefined until it is read. */
export function useConnection(environment: string, service: ServiceName): Connection | undefined {
  const { data } = useQuery(connectionsQuery);
  return connectionIn(data, environment, service);
}

/** The connection to a service of an environment among those read. */
export function connectionIn(
  connections: readonly Connection[] | undefined,
  environment: string,
  service: ServiceName,
): Connection | undefined {
  return connections?.find((item) => item.environment === environment && item.service === service);
}

/** Signs in again without leaving the page; if it is a different user, the page starts over. */
export function useSignInAgain() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { environment: string; service: ServiceName; credentials: Credentials }) =>
      call(at.session.signIn, { body }),
    onSuccess: (session) => {
      if (adoptSession(session)) putAnswer(queryClient, sessionKey, session);
    },
  });
}

export function useSignOut() {
  const queryClient = useQueryClient();
  return useMutation({
    /** Deliveries of images continue unless `stopsDeliveries` is set. */
    mutationFn: ({ stopsDeliveries }: { readonly stopsDeliveries: boolean }) => {
      const ending = call(at.session.signOut, { query: stopsDeliveries ? { stop_deliveries: true } : {} });
      holdReads(ending);
      void queryClient.cancelQueries();
      return ending;
    },
  });
}

export function useConfirmSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: {
      environment: string;
      service?: ServiceName;
      secret: string;
      two_factor_code?: string;
    }) => call(at.session.confirm, { body }),
    onSuccess: (session) => {
      if (adoptSession(session)) putAnswer(queryClient, sessionKey, session);
    },
  });
}

export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(at.sessions.end, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useEndOtherSessions() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(at.sessions.endOthers, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

interface ServiceOfEnvironment {
  environment: string;
  service: ServiceName;
}

/** Connects to another service, and doesn't wait until the queries that were waiting for it are reloaded. */
export function useConnect() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ credentials, ...params }: ServiceOfEnvironment & { credentials: Credentials }) =>
      call(at.connections.connect, { params, body: { credentials } }),
    onSuccess: (_, { environment }) => {
      void queryClient.invalidateQueries({ queryKey: [environment] });
    },
    // Also without an answer it may be connected, and others with the same accounts are connected with it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionsKey }),
  });
}

export function useDisconnect() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (params: ServiceOfEnvironment) => call(at.connections.disconnect, { params }),
    onSuccess: (_, { environment, service }) => {
      queryClient.removeQueries({ queryKey: [environment, service] });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionsKey }),
  });
}
