import { cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { boxesCaller } from '#shared/boxes/caller.ts';
import { deleteTokenByHash, listTokens } from '#upstreams/box-registry/management.ts';
import { deleteToken } from '#upstreams/box-registry/sign-in.ts';

export const deleteBoxToken: Operation<'boxTokens.delete'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const caller = await boxesCaller(context, call);
    const isOwn =
      'token' in call.body
        ? call.body.token === caller.token
        : (await listTokens(caller))?.some(({ own, token_hash }) => own && token_hash === hashIn(call.body));
    if (isOwn === true) {
      throw new ProblemError(
        'invalid-request',
        'This is the token that the console uses for you. Disconnect from the box registry instead.',
        { service: 'boxes', environment: call.params.environment },
      );
    }
    return {
      deleted:
        'token' in call.body
          ? await deleteToken(caller.registry, call.body.token)
          : await deleteTokenByHash(caller, call.body.token_hash),
    };
  },
);

function hashIn(body: object): unknown {
  return 'token_hash' in body ? body.token_hash : undefined;
}
