import type { MoveKind } from '@gatehouse/api-types/console/move-values';
import type { Starter } from '#moves/jobs.ts';
import type { Context } from '#operation/context.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';

/** The caller as who works on a move, with their token of the registry here. @throws ProblemError as `serviceToken` */
export async function starterOf(
  context: Context,
  call: ServiceCall,
  kind: MoveKind,
  sourceToken: string,
): Promise<Starter> {
  const token = await serviceToken(context, call, kind);
  const { id, personId, personName, loginName } = call.session;
  const { requestId } = call.caller;
  return { personId, personName: personName || loginName, sessionId: id, token, sourceToken, requestId };
}
