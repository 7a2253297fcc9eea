import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { getGlobalScope } from '#upstreams/access-controller/scopes.ts';
import { ownToken } from '#upstreams/module-registry/own-token.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { accessCaller } from '../access/caller.ts';
import { modulesCaller } from '../modules/caller.ts';
import { secretsCaller } from '../secrets/caller.ts';

/** A policy that there need not be: whoever may write it may write any, as a rule. */
const anyPolicy = 'sys/policies/acl/gatehouse';

/** Whose activity a caller sees: undefined for everybody's, else the person whose own alone is shown. */
export type OnlyOf = string | undefined;

/**
 * Everyone sees their own activity. Whoever may create people in an environment, as its access controller says, is its
 * administrator and sees all of it; of an environment without one, whoever may write policies, as its secrets server
 * says; of one with neither, the administrators of its module registry. Where the service cannot be asked, nobody is.
 * @throws ProblemError `not-found` for an environment that is not configured
 */
export async function visibleTo(context: Context, call: ServiceCall): Promise<OnlyOf> {
  const { environment } = call.params;
  if (!context.config.environments.some(({ id }) => id === environment)) {
    throw new ProblemError('not-found', `The configuration has no environment "${environment}".`);
  }
  try {
    return (await isAdministrator(context, call)) ? undefined : call.session.personId;
  } catch (error) {
    if (error instanceof ProblemError) return call.session.personId;
    throw error;
  }
}

async function isAdministrator(context: Context, call: ServiceCall): Promise<boolean> {
  const { services } = context.config.environments.find(({ id }) => id === call.params.environment) ?? {};
  if (services?.access === undefined && services?.secrets !== undefined) {
    const found = await readCapabilities(await secretsCaller(context, call), [anyPolicy]);
    return allows(found?.get(anyPolicy), 'update', 'create');
  }
  if (services?.access === undefined && services?.modules !== undefined) {
    return (await ownToken(await modulesCaller(context, call)))?.role === 'administrator';
  }
  const scope = await getGlobalScope(await accessCaller(context, call));
  return scope?.authorized_collection_actions['users']?.includes('create') === true;
}
