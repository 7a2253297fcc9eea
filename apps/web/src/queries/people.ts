/** Users of an environment: their names, roles and passwords. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { Person } from '@gatehouse/api-types/console/people';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { keepRecord, recordQuery } from './record-life.ts';
import { allRecords, recordCalls } from './records.ts';

const calls = recordCalls(at.people);

const listKey = (environment: string) => [environment, 'access', calls.key, 'list'] as const;

/** All users: an environment has hundreds, not more. */
export const peopleQuery = (environment: string) =>
  queryOptions({
    queryKey: listKey(environment),
    queryFn: (context) => allRecords(calls, environment, '', context),
  });

export const people: typeof calls = {
  ...calls,
  cache: {
    forget: (queryClient, environment, id) => {
      queryClient.removeQueries({ queryKey: recordQuery(calls, environment, id).queryKey });
      queryClient.setQueryData<readonly Person[]>(listKey(environment), (list) =>
        list?.filter((person) => person.id !== id),
      );
      // A read that is in progress may be older.
      void queryClient.invalidateQueries({ queryKey: listKey(environment) });
    },
  },
};

/** Resets a user's password. Only the caller has the new one, and shows it once. */
export function useResetPassword(environment: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, password }: { revision: string; password: string }) =>
      call(at.people.resetPassword, {
        params: { environment, id },
        revision,
        body: { new_password: password },
      }),
    gcTime: 0,
    onSuccess: (person) => {
      keepRecord(queryClient, people, environment, person);
    },
  });
}

/** A user's sessions of the console, for those who can edit the user. */
export const consoleSessionsQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: [environment, 'access', calls.key, 'console-sessions', id],
    queryFn: async ({ signal }) =>
      (await call(at.people.listConsoleSessions, { params: { environment, id }, signal })).sessions,
  });

/** A user's tokens at the secrets server. Not polled, because each is looked up there. */
export const personTokensQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: [environment, 'access', calls.key, 'tokens', id],
    queryFn: ({ signal }) => call(at.people.listTokens, { params: { environment, id }, signal }),
    refetchOnWindowFocus: false,
  });

export function useEndConsoleSessions(environment: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(at.people.endConsoleSessions, { params: { environment, id } }),
    onSettled: () => queryClient.invalidateQueries(consoleSessionsQuery(environment, id)),
  });
}

export function useChangeOwnPassword(environment: string) {
  return useMutation({
    mutationFn: ({ current, next }: { current: string; next: string }) =>
      call(at.people.changeOwnPassword, {
        params: { environment },
        body: { current_password: current, new_password: next },
      }),
    gcTime: 0,
  });
}
