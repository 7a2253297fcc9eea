import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { serviceToken } from '#session/service-token.ts';
import { listTokens, revokeToken } from '#upstreams/module-registry/management.ts';
import { toldToken } from '#upstreams/module-registry/resources.ts';
import { makeToken } from '#upstreams/module-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';
import { revoked } from '../became.ts';
import { inModules, modulesCaller } from '../caller.ts';

const createModuleToken: Operation<'moduleTokens.create'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { environment } = call.params;
    const { password, description } = call.body;
    const { accountId: username } = await serviceToken(context, call, 'modules');
    const registry = askedBy(call.caller, context.directory.modules(environment));
    const made = await limited(
      context.limits,
      { environment, service: 'modules' },
      { method: 'password', login_name: username, password },
      call.caller.address,
      () => makeToken(registry, { username, password }, description),
      ({ id, token }) => context.directory.service(environment, 'modules').revoke(id, token),
    );
    return { ...toldToken(made), token: made.token };
  },
);

const listModuleTokens: Operation<'moduleTokens.list'> = async (context, call) => ({
  tokens: await listTokens(await modulesCaller(context, call)),
});

const revokeModuleToken: Operation<'moduleTokens.revoke'> = audited(
  { address: ({ params }) => ({ id: params.id }), became: revoked },
  async (context, call) => {
    const { id, environment } = call.params;
    const caller = await modulesCaller(context, call);
    const tokens = await listTokens(caller);
    // The registry reads `self` as the token of the request.
    if (id === 'self' || tokens?.some((token) => token.current && token.id === id) === true) {
      throw new ProblemError(
        'invalid-request',
        'This is the token that the console uses for you. Disconnect from the module registry instead.',
        { service: 'modules', environment },
      );
    }
    await revokeToken(caller, id);
  },
);

export const moduleTokenOperations = resource(inModules, {
  'moduleTokens.list': listModuleTokens,
  'moduleTokens.create': createModuleToken,
  'moduleTokens.revoke': revokeModuleToken,
});
