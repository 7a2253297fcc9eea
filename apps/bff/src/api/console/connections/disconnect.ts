import { audited, type Operation } from '#operation/operation.ts';
import { connectionAnswer } from '#shared/console/connection-answer.ts';
import { connectedSince } from '#shared/console/connections.ts';

export const disconnect: Operation<'connections.disconnect'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await connectedSince(context, intent, 0)) ? 'failed' : 'succeeded',
    }),
  },
  async (context, { params, session }) => {
    const service = context.directory.service(params.environment, params.service);
    await context.connections.drop(session.id, params.environment, params.service);
    return connectionAnswer(context, service, undefined);
  },
);
