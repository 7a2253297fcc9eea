/** Why an action on people isn't allowed, from the actions that the controller reports; undefined if it is. */
import type { Person } from '@gatehouse/api-types/console/people';
import type { Scope } from '@gatehouse/api-types/console/scopes';
import { globalScope } from '#queries/global-scope.ts';

const verbs = { update: 'edit', delete: 'delete' } as const;

export function reasonAgainst(
  person: Pick<Person, 'authorized_actions'>,
  action: keyof typeof verbs,
): string | undefined {
  if (person.authorized_actions.includes(action)) return undefined;
  return `Your role in the access controller doesn't let you ${verbs[action]} people. Ask an administrator.`;
}

/** Why you can't create people; undefined if you can. */
export function reasonAgainstCreating(scopes: readonly Scope[] | undefined): string | undefined {
  if (scopes === undefined) return 'Your permissions here are still loading.';
  const actions = scopes.find(({ id }) => id === globalScope)?.authorized_collection_actions;
  return actions?.['users']?.includes('create') === true
    ? undefined
    : "Your role in the access controller doesn't let you create people. Ask an administrator.";
}
