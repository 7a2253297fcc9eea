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
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#lib/api.ts';
import { keepRecord } from './record-life.ts';
import type { LifeCalls } from './records.ts';

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

export const people: LifeCalls<Person, NewPerson, PersonChanges> = {
  key: 'people',
  touches: [],
  cache: {
    forget: (queryClient, environment, id) => {
      queryClient.removeQueries({ queryKey: personKey(environment, id) });
      queryClient.setQueryData<readonly Person[]>(listKey(environment), (list) =>
        list?.filter((person) => person.id !== id),
      );
    },
  },
  get: (environment, id, context) => call(getPerson, { params: { environment, id }, ...context }),
  create: (environment, body) => call(createPerson, { params: { environment }, body }),
  update: (environment, id, revision, body) =>
    call(updatePerson, { params: { environment, id }, revision, body }),
  remove: async (environment, id, revision) => {
    await call(deletePerson, { params: { environment, id }, revision });
  },
};

/** Gives somebody a new password, which is the caller's to show once. */
export function useResetPassword(environment: string, id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ revision, password }: { revision: string; password: string }) =>
      call(resetPassword, { params: { environment, id }, revision, body: { new_password: password } }),
    gcTime: 0,
    onSuccess: (person) => {
      keepRecord(queryClient, people, environment, person);
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
