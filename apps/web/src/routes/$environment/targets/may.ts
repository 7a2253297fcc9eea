/** Why an action on targets isn't allowed, from the actions that the controller reports; undefined if it is. */
import type { Scope } from '@gatehouse/api-types/console/scopes';
import type { Target } from '@gatehouse/api-types/console/targets';

const verbs = {
  update: 'edit',
  delete: 'delete',
  read: 'open',
  'authorize-session': 'open sessions to',
} as const;

export function reasonAgainst(
  target: Pick<Target, 'authorized_actions'>,
  action: keyof typeof verbs,
): string | undefined {
  if (target.authorized_actions.includes(action)) return undefined;
  return `Your role in the access controller doesn't let you ${verbs[action]} this target.`;
}

/** Why no session can be authorized by name; undefined if it may be possible. @param listed all targets of the scope */
export function reasonAgainstAuthorizingAny(
  listed: readonly Pick<Target, 'authorized_actions'>[],
): string | undefined {
  const can = listed.some(({ authorized_actions: actions }) => actions.includes('authorize-session'));
  // Users who may not list targets see none, but may know one's name.
  if (can || listed.length === 0) return undefined;
  return "Your role in the access controller doesn't let you open sessions to any of these targets.";
}

/** Why no session on a target can be authorized; undefined if one can. @param target as read alone: lists leave out its sources */
export function reasonAgainstAuthorizing(
  target: Pick<Target, 'authorized_actions' | 'address' | 'host_sources'>,
): string | undefined {
  const isNowhere = target.address === '' && target.host_sources.length === 0;
  return reasonAgainst(target, 'authorize-session') ?? (isNowhere ? nowhere : undefined);
}

/** Said of a target with neither. */
export const nowhere = 'Nobody can connect: the target has neither an address nor host sources.';

/** Which workers can carry sessions on a target, as far as it is known before one is authorized; undefined if its filters say it. */
export function workersNote(hasFilter: boolean, isEmbedded: boolean): string | undefined {
  if (isEmbedded)
    return 'The embedded access controller has no worker: it authorizes sessions, but nothing carries their traffic.';
  return hasFilter
    ? undefined
    : "No filter: any worker that is up can carry a session. The console doesn't read the controller's workers.";
}

/** Why no target can be created in these scopes; undefined if it can. */
export function reasonAgainstCreating(scopes: readonly Scope[] | undefined): string | undefined {
  if (scopes === undefined) return 'Your permissions here are still loading.';
  if (projectsToCreateIn(scopes).length > 0) return undefined;
  return scopes.some(({ type }) => type === 'project')
    ? "Your role in the access controller doesn't let you create targets in any project."
    : "You can't see any projects. To create targets, first create a project or ask for access to one.";
}

/** The projects in which you may create targets. */
function projectsToCreateIn(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.filter(
    ({ type, authorized_collection_actions: actions }) =>
      type === 'project' && actions['targets']?.includes('create') === true,
  );
}
