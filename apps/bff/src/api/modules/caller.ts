import type { Context } from '#operation/context.ts';
import type { ResourceAudit } from '#operation/operation.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import { callAs, type ModulesCaller } from '#upstreams/module-registry/client.ts';
import { askedBy } from '#upstreams/transport.ts';

/** How the audit trail identifies records of a module registry: by the module's address, with the version's number. */
export const inModules: ResourceAudit = {
  service: 'modules',
  address: ({ params }) => ({ id: idOf(params) }),
};

/** The ID of a module or version: `namespace/name/provider/1.0.0`. */
export function idOf(at: {
  readonly namespace?: string;
  readonly name?: string;
  readonly provider?: string;
  readonly version?: string;
}): string {
  return [at.namespace, at.name, at.provider, at.version].filter((part) => part !== undefined).join('/');
}

/** Calls the environment's module registry with the user's token. @throws ProblemError as `serviceToken` */
export async function modulesCaller(context: Context, call: ServiceCall): Promise<ModulesCaller> {
  const kept = await serviceToken(context, call, 'modules');
  const { environment } = call.params;
  return callAs(askedBy(call.caller, context.directory.modules(environment), call.session.account), {
    token: kept.token,
    username: kept.accountId,
    guard: call.guard,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'modules', kept.tokenId),
  });
}
