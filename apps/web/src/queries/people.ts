/** People of an environment: their names, their roles, their passwords. */
import {
  changeOwnPassword,
  createPerson,
  deletePerson,
  getPerson,
  listPeople,
  resetPassword,
  updatePerson,
  type NewPerson,
  type Person,
  type PersonChanges,
} from '@gatehouse/api-types/console/people';
import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { call, type Guard } from '#lib/api.ts';

const listKey = (environment: string) => [environment, 'access', 'people', 'list'] as const;
const personKey = (environment: string, id: string) => [environment, 'access', 'people', 'one', id] as const;

/** Everybody: an environment has hundreds of people, not more. */
export const peopleQuery = (environment: string) =>
  queryOptions({
    queryKey: listKey(environment),
    queryFn: async ({ signal }): Promise<readonly Person[]> => {
      const people: Person[] = [];
      let token: string | undefined;
      do {
        const page = await call(listPeople, {
          params: { environment },
          query: { page_size: 1000, ...(token !== undefined && { page_token: token }) },
          signal,
        });
        people.push(...page.items);
        token = page.next_page_token;
      } while (token !== undefined);
      return people;
    },
  });

export const personQuery = (environment: string, id: string) =>
  queryOptions({
    queryKey: personKey(environment, id),
    queryFn: ({ signal }) => call(getPerson, { params: { environment, id }, signal }),
    staleTime: 10_000,
  });

export const personPoll = (environment: string, id: string) => ({
  queryKey: personKey(environment, id),
  fetch: (context: { signal: AbortSignal; poll: boolean }) =>
    call(getPerson, { params: { environment, id }, ...context }),
});

function keepPerson(queryClient: QueryClient, environment: string, person: Person): void {
  queryClient.setQueryData(personKey(environment, person.id), person);
  void queryClient.invalidateQueries({ queryKey: listKey(environment) });
}

/** Takes somebody who is known to be gone out of everything that the page shows. */
export function forgetPerson(queryClient: QueryClient, environment: string, id: string): void {
  queryClient.removeQueries({ queryKey: personKey(environment, id) });
  queryClient.setQueryData<readonly Person[]>(listKey(environment), (people) =>
    people?.filter((person) => person.id !== id),
  );
}

/** Creates somebody. The password is the caller's to show once: nothing here keeps it. */
export function useCreatePerson(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPerson) => call(createPerson, { params: { environment }, body }),
    gcTime: 0,
    onSuccess: (person) => {
      keepPerson(queryClient, environment, person);
    },
  });
}

export function useUpdatePerson(environment: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ changes, ...guard }: Guard & { changes: PersonChanges }) =>
      call(updatePerson, { params: { environment, id }, ...guard, body: changes }),
    onSuccess: (person) => {
      keepPerson(queryClient, environment, person);
    },
  });
}

export function useDeletePerson(environment: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision }: { id: string; revision: string }) =>
      call(deletePerson, { params: { environment, id }, revision }),
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
      call(resetPassword, { params: { environment, id }, revision, body: { new_password: password } }),
    gcTime: 0,
    onSuccess: (person) => {
      keepPerson(queryClient, environment, person);
    },
  });
}

export function useChangeOwnPassword(environment: string) {
  return useMutation({
    mutationFn: ({ current, next }: { current: string; next: string }) =>
      call(changeOwnPassword, {
        params: { environment },
        body: { current_password: current, new_password: next },
      }),
    gcTime: 0,
  });
}
