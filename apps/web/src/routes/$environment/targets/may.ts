/** What the person may do with a target, as the controller said; else why not, for the button that cannot be used. */
import type { Scope } from '@gatehouse/api-types/console/scopes';
import type { Target } from '@gatehouse/api-types/console/targets';
import { reasonAgainstAnyProject } from '#components/record/projects.ts';

const verbs = {
  update: 'change',
  delete: 'delete',
  read: 'open',
  'authorize-session': 'open sessions to',
} as const;

export function reasonAgainst(
  target: Pick<Target, 'authorized_actions'>,
  action: keyof typeof verbs,
): string | undefined {
  if (target.authorized_actions.includes(action)) return undefined;
  return `Your role at the access controller does not let you ${verbs[action]} this target.`;
}

/** Why no target can be created in the scopes; undefined where one of them allows it. */
export function reasonAgainstCreating(scopes: readonly Scope[] | undefined): string | undefined {
  return reasonAgainstAnyProject(scopes, 'targets', 'targets');
}
