/** What all calls about cloud credentials engines share. */
import type { Became } from '#audit/became.ts';
import type { Wish } from '#audit/wish.ts';
import type { Resource } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import type { ResourceAudit, WhatBecame } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { checkCloud } from '#upstreams/secrets-server/check-engine.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import type { RolePlace } from '#upstreams/secrets-server/cloud.ts';
import { secretsCaller } from './caller.ts';

/** A call about an engine. */
interface CloudCall extends ServiceCall {
  readonly params: { readonly environment: string; readonly mount: string };
}

/** A role's ID in the audit trail. */
export function roleId({ mount, role }: RolePlace): string {
  return `${mount}/roles/${role}`;
}

/** How the audit trail identifies cloud engines: by their mount, and roles by their path below it. */
export const inCloud: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { mount = '', role } }) => ({
    id: role === undefined ? mount : roleId({ mount, role }),
  }),
};

/**
 * Calls the environment's secrets server with the user's token, after checking the engine.
 * @param goesOn whether requests continue when the user leaves
 * @throws ProblemError `invalid-request` for another kind of engine, and as `secretsCaller`
 */
export async function cloudCaller(context: Context, call: CloudCall, goesOn = false): Promise<SecretsCaller> {
  const caller = await secretsCaller(context, call, goesOn);
  await checkCloud(caller, call.params.mount);
  return caller;
}

/** A record of a cloud engine, for problems. */
export function cloudResource(
  { transport: { environment, service } }: SecretsCaller,
  kind: 'cloud-engine' | 'cloud-role' | 'cloud-root' | 'cloud-lease',
  id: string,
): Resource {
  return { environment, service, kind, id };
}

/** Decides from what is stored at the call's engine. */
export function atEngine(
  decide: (caller: SecretsCaller, mount: string, wish: Wish) => Promise<Became['outcome']>,
): WhatBecame {
  return async (context, call, _intent, wish) => {
    const { mount = '' } = wish.params;
    const engineCall = { ...call, params: { ...call.params, mount } };
    return { outcome: await decide(await cloudCaller(context, engineCall), mount, wish) };
  };
}

/** Decides from what is stored for the call's role. */
export function atRole(
  decide: (caller: SecretsCaller, place: RolePlace, wish: Wish) => Promise<Became['outcome']>,
): WhatBecame {
  return atEngine((caller, mount, wish) => {
    const { name = '' } = wish.body;
    return decide(caller, { mount, role: wish.params['role'] ?? String(name) }, wish);
  });
}

/** The problem of a nonexistent role. */
export function noRole({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError('not-found', "This role doesn't exist.", { environment, service });
}
