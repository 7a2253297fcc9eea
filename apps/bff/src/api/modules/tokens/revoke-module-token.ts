import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { revoked } from '#shared/modules/became.ts';
import { modulesCaller } from '#shared/modules/caller.ts';
import { listTokens, revokeToken } from '#upstreams/module-registry/management.ts';

export const revokeModuleToken: Operation<'moduleTokens.revoke'> = audited(
  { address: ({ params }) => ({ id: params.id }), became: revoked },
  async (context, call) => {
    const { id, environment } = call.params;
    const caller = await modulesCaller(context, call);
    const tokens = await listTokens(caller);
    // The registry takes `self` for the token that asks.
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
