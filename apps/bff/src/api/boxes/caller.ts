import type { Context } from '../../context.ts';
import type { Caller } from '../../http/operation.ts';
import { ProblemError } from '../../http/problem.ts';
import type { KeptToken } from '../../session/connections.ts';
import type { ActiveSession } from '../../session/session.ts';
import { callAs, type BoxesCaller } from '../../upstreams/box-registry/client.ts';

/** What every call about boxes has. */
export interface BoxesCall {
  readonly params: { readonly environment: string };
  readonly session: ActiveSession;
  readonly caller: Pick<Caller, 'requestId' | 'signal'>;
}

/** @throws ProblemError `not-found` when the environment has none, `not-connected` when the person has no token there */
export async function boxesToken(
  context: Context,
  { params, session }: Omit<BoxesCall, 'caller'>,
): Promise<KeptToken> {
  const { environment } = params;
  context.directory.boxes(environment);
  const kept = await context.connections.token(session.id, environment, 'boxes');
  if (typeof kept !== 'string') return kept;
  throw new ProblemError(
    'not-connected',
    kept === 'none'
      ? 'You are not signed in to the box registry of this environment.'
      : 'The box registry does not accept the token any more: sign in to it again.',
    { service: 'boxes', environment },
  );
}

/** The environment's box registry in the name of the person. @throws ProblemError as `boxesToken` */
export async function boxesCaller(context: Context, call: BoxesCall): Promise<BoxesCaller> {
  const kept = await boxesToken(context, call);
  const { environment } = call.params;
  return callAs(context.directory.boxes(environment), {
    token: kept.token,
    username: kept.accountId,
    requestId: call.caller.requestId,
    signal: call.caller.signal,
    onRefused: () => context.connections.refuse(call.session.id, environment, 'boxes', kept.tokenId),
  });
}
