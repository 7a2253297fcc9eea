import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { serviceToken } from '#session/service-token.ts';
import { toldToken } from '#upstreams/module-registry/resources.ts';
import { makeToken } from '#upstreams/module-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

export const createModuleToken: Operation<'moduleTokens.create'> = audited(
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
    );
    return { ...toldToken(made), token: made.token };
  },
);
