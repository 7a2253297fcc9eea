import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import { ownerOf } from '#upstreams/box-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

export const validateBoxToken: Operation<'boxTokens.validate'> = audited(
  { became: notReceived },
  async (context, call) => {
    const kept = await serviceToken(context, call, 'boxes');
    const { token } = call.body;
    const registry = askedBy(call.caller, context.directory.boxes(call.params.environment));
    const username = await ownerOf(registry, token);
    return {
      valid: username !== null,
      username: username === '' ? null : username,
      own: token === kept.token,
    };
  },
);
