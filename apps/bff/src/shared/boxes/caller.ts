import type { Context } from '#operation/context.ts';
import type { Caller } from '#operation/operation.ts';
import { serviceToken } from '#session/service-token.ts';
import type { ActiveSession } from '#session/session.ts';
import { callAs, type BoxesCaller } from '#upstreams/box-registry/client.ts';

/** What every call about boxes has. */
export interface BoxesCall {
  readonly params: { readonly environment: string };
  readonly session: ActiveSession;
  readonly caller: Pick<Caller, 'requestId' | 'signal'>;
}

/** The environment's box registry in the name of the person. @throws ProblemError as `serviceToken` */
export async function boxesCaller(context: Context, call: BoxesCall): Promise<BoxesCaller> {
  const kept = await serviceToken(context, call, 'boxes');
  const { environment } = call.params;
  return callAs(context.directory.boxes(environment), {
    token: kept.token,
    username: kept.accountId,
    requestId: call.caller.requestId,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'boxes', kept.tokenId),
  });
}
