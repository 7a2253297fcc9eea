import { audited, type Operation } from '#operation/operation.ts';
import { connectService } from '#shared/console/connect-service.ts';
import { connectionAnswer } from '#shared/console/connection-answer.ts';
import { connectedSince } from '#shared/console/connections.ts';

export const connect: Operation<'connections.connect'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await connectedSince(context, intent, intent.time)) ? 'succeeded' : 'failed',
    }),
  },
  async (context, call) => {
    const { params, body, session } = call;
    const { environment, service: name } = params;
    const service = context.directory.service(environment, name);
    await connectService(context, call, service, body.credentials);
    const rows = await context.connections.of(session.id);
    return connectionAnswer(
      context,
      service,
      rows.find((row) => row.environment === environment && row.service === name),
    );
  },
);
