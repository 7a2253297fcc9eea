import { cannotTell } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { serviceToken } from '#session/service-token.ts';
import { makeToken } from '#upstreams/box-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

export const createBoxToken: Operation<'boxTokens.create'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const { environment } = call.params;
    const { password, code, description } = call.body;
    const { accountId } = await serviceToken(context, call, 'boxes');
    const registry = askedBy(call.caller, context.directory.boxes(environment));
    const made = await limited(
      context.limits,
      { environment, service: 'boxes' },
      { method: 'password', login_name: accountId, password },
      call.caller.address,
      () => makeToken(registry, { login: accountId, password, code }, description),
    );
    return {
      token: made.token,
      token_hash: made.token_hash,
      description: made.description,
      created_time: made.created_at,
    };
  },
);
