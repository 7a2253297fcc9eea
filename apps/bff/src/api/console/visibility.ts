import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { getGlobalScope } from '#upstreams/access-controller/scopes.ts';
import { ownToken } from '#upstreams/module-registry/own-token.ts';
import { allows, readCapabilities } from '#upstreams/secrets-server/system.ts';
import { accessCaller } from '../access/caller.ts';
import { modulesCaller } from '../modules/caller.ts';
import { secretsCaller } from '../secrets/caller.ts';

/** A policy that needn't exist. Users who can write this one can usually write any. */
const anyPolicy = 'sys/policies/acl/gatehouse';

/** The only user whose activity the caller sees; undefined if the caller sees everyone's. */
export type OnlyOf = string | undefined;

/**
 * Users see their own activity, and an environment's administrators see everyone's. An administrator can create users
 * at the access controller or, without one, write policies at the secrets server or, with neither, is an administrator
 * of the module registry. If the service can't be asked, nobody counts as one.
 * @throws ProblemError `not-found` for an environment that isn't configured
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
