/** Why an action on people isn't allowed, from the actions that the controller reports; undefined if it is. */
import type { Person } from '@gatehouse/api-types/console/people';
import type { Scope } from '@gatehouse/api-types/console/scopes';
import { useQuery } from '@tanstack/react-query';
import { globalScope } from '#queries/global-scope.ts';
import { peopleQuery } from '#queries/people.ts';

const verbs = { update: 'edit', delete: 'delete' } as const;

export function reasonAgainst(
  person: Pick<Person, 'authorized_actions'>,
  action: keyof typeof verbs,
): string | undefined {
  if (person.authorized_actions.includes(action)) return undefined;
  if (action === 'delete' && person.authorized_actions.includes('update'))
    return "The access controller doesn't allow this account to be deleted. Disable it instead.";
  return `Your role in the access controller doesn't let you ${verbs[action]} people. Ask an administrator.`;
}

const isAdministrator = ({ disabled, roles }: Person): boolean =>
  !disabled && roles?.access === 'administrator';

/** Why a person must remain an enabled administrator; undefined if others are, or no roles are reported. */
export function reasonToRemain(id: string, people: readonly Person[]): string | undefined {
  const administrators = people.filter(isAdministrator);
  return administrators.length === 1 && administrators[0]?.id === id
    ? 'This is the last enabled administrator of the access controller. Make another person an administrator first.'
    : undefined;
}

/** The same; also undefined until the people are read. */
export function useReasonToRemain(environment: string, id: string): string | undefined {
  return useQuery({
    ...peopleQuery(environment),
    select: (people) => ({ reason: reasonToRemain(id, people) }),
  }).data?.reason;
}

/** Why you can't create people; undefined if you can. */
export function reasonAgainstCreating(scopes: readonly Scope[] | undefined): string | undefined {
  if (scopes === undefined) return 'Your permissions here are still loading.';
  const actions = scopes.find(({ id }) => id === globalScope)?.authorized_collection_actions;
  return actions?.['users']?.includes('create') === true
    ? undefined
    : "Your role in the access controller doesn't let you create people. Ask an administrator.";
}
