import type { Context } from '../../context.ts';
import type { Caller } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import type { ActiveSession } from '../../session/session.ts';
import { getGlobalScope } from '../../upstreams/access-controller/scopes.ts';
import { accessCaller } from '../access/caller.ts';

/** Whose activity a caller sees: undefined for everybody's, else the person whose own alone is shown. */
export type OnlyOf = string | undefined;

/**
 * Everyone sees their own activity. Whoever may create people in an environment, as its access controller says, is its
 * administrator and sees all of it; where the controller cannot be asked, nobody is.
 * @throws ProblemError `not-found` for an environment that is not configured
 */
export async function visibleTo(
  context: Context,
  call: {
    readonly params: { readonly environment: string };
    readonly session: ActiveSession;
    readonly caller: Caller;
  },
): Promise<OnlyOf> {
  const { environment } = call.params;
  if (!context.config.environments.some(({ id }) => id === environment)) {
    throw new ProblemError('not-found', `The configuration has no environment "${environment}".`);
  }
  try {
    const scope = await getGlobalScope(await accessCaller(context, call));
    const isAdministrator = scope?.authorized_collection_actions['users']?.includes('create') === true;
    return isAdministrator ? undefined : call.session.personId;
  } catch (error) {
    if (error instanceof ProblemError) return call.session.personId;
    throw error;
  }
}
