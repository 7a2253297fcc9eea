/** People of an environment: their names, their roles, their passwords. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import type { NewPerson, Person } from '@gatehouse/api-types/console/people';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { allRecords, keepRecord, recordCalls, recordPoll, recordQuery, useUpdateRecord } from './records.ts';

const people = recordCalls(at.people);

const listKey = (environment: string) => [environment, 'access', people.key, 'list'] as const;

/** Everybody: an environment has hundreds of people, not more. */
export const peopleQuery = (environment: string) =>
  queryOptions({
    queryKey: listKey(environment),
    queryFn: (context) => allRecords(people, environment, '', context),
  });

export const personQuery = (environment: string, id: string) => recordQuery(people, environment, id);
export const personPoll = (environment: string, id: string) => recordPoll(people, environment, id);
export const useUpdatePerson = (environment: string, id: string) => useUpdateRecord(people, environment, id);

/** Takes somebody who is known to be gone out of everything that the page shows. */
export function forgetPerson(queryClient: QueryClient, environment: string, id: string): void {
  queryClient.removeQueries({ queryKey: personQuery(environment, id).queryKey });
  queryClient.setQueryData<readonly Person[]>(listKey(environment), (all) =>
    all?.filter((person) => person.id !== id),
  );
}

/** Creates somebody. The password is the caller's to show once: nothing here keeps it. */
export function useCreatePerson(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPerson) => people.create(environment, body),
    gcTime: 0,
    onSuccess: (person) => {
      keepRecord(queryClient, people, environment, person);
    },
  });
}

export function useDeletePerson(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: string }) =>
      people.remove(environment, id, revision),
    onSuccess: (_, { id }) => {
      forgetPerson(queryClient, environment, id);
    },
  });
}

/** Gives somebody a new password, which is the caller's to show once. */
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
