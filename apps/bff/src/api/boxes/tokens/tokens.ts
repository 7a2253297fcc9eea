import { notReceived, cannotTell } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { serviceToken } from '#session/service-token.ts';
import { listTokens, deleteTokenByHash } from '#upstreams/box-registry/management.ts';
import { ownerOf, deleteToken, makeToken } from '#upstreams/box-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';
import { inBoxes, boxesCaller } from '../caller.ts';

const createBoxToken: Operation<'boxTokens.create'> = audited(
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
      ({ token }) => deleteToken(registry, token),
    );
    return {
      token: made.token,
      token_hash: made.token_hash,
      description: made.description,
      created_time: made.created_at,
    };
  },
);

const deleteBoxToken: Operation<'boxTokens.delete'> = audited(
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

const listBoxTokens: Operation<'boxTokens.list'> = async (context, call) => {
  return { tokens: await listTokens(await boxesCaller(context, call)) };
};

const validateBoxToken: Operation<'boxTokens.validate'> = audited(
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

export const boxTokenOperations = resource(inBoxes, {
  'boxTokens.create': createBoxToken,
  'boxTokens.validate': validateBoxToken,
  'boxTokens.list': listBoxTokens,
  'boxTokens.delete': deleteBoxToken,
});

function hashIn(body: object): unknown {
  return 'token_hash' in body ? body.token_hash : undefined;
}
