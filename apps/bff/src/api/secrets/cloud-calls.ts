/** What calls about cloud credentials engines have in common. */
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

/** What the audit trail calls a role. */
export function roleId({ mount, role }: RolePlace): string {
  return `${mount}/roles/${role}`;
}

/** What the audit trail says of everything at a cloud engine: it is called by its mount, a role by its address there. */
export const inCloud: ResourceAudit = {
  service: 'secrets',
  address: ({ params: { mount = '', role } }) => ({
    id: role === undefined ? mount : roleId({ mount, role }),
  }),
};

/**
 * The environment's secrets server in the name of the person, after a look at the engine.
 * @param goesOn whether what is begun is brought to an end when the person goes away
 * @throws ProblemError `invalid-request` for an engine of another kind, and as `secretsCaller`
 */
export async function cloudCaller(context: Context, call: CloudCall, goesOn = false): Promise<SecretsCaller> {
  const caller = await secretsCaller(context, call, goesOn);
  await checkCloud(caller, call.params.mount);
  return caller;
}

/** What something of a cloud engine is called in problems. */
export function cloudResource(
  { transport: { environment, service } }: SecretsCaller,
  kind: 'cloud-engine' | 'cloud-role' | 'cloud-root' | 'cloud-lease',
  id: string,
): Resource {
  return { environment, service, kind, id };
}

/** Decides by what is stored at the engine of the call. */
export function atEngine(
  decide: (caller: SecretsCaller, mount: string, wish: Wish) => Promise<Became['outcome']>,
): WhatBecame {
  return async (context, call, _intent, wish) => {
    const { mount = '' } = wish.params;
    const engineCall = { ...call, params: { ...call.params, mount } };
    return { outcome: await decide(await cloudCaller(context, engineCall), mount, wish) };
  };
}

/** The same of a role. */
export function atRole(
  decide: (caller: SecretsCaller, place: RolePlace, wish: Wish) => Promise<Became['outcome']>,
): WhatBecame {
  return atEngine((caller, mount, wish) => {
    const { name = '' } = wish.body;
    return decide(caller, { mount, role: wish.params['role'] ?? String(name) }, wish);
  });
}

/** The problem of a role that does not exist. */
export function noRole({ transport: { environment, service } }: SecretsCaller): ProblemError {
  return new ProblemError('not-found', "This role doesn't exist.", { environment, service });
}
