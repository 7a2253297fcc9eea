import type { Operation } from '#operation/operation.ts';
import { connectionAnswer } from '#shared/console/connection-answer.ts';

export const disconnect: Operation<'disconnect'> = async (context, { params, session }) => {
  const service = context.directory.service(params.environment, params.service);
  await context.connections.drop(session.id, params.environment, params.service);
  return connectionAnswer(context, service, undefined);
};
