import type { Operation } from '#operation/operation.ts';
import { connectionAnswer } from '#shared/console/connection-answer.ts';

export const listConnections: Operation<'connections.list'> = async (context, { query, session }) => {
  const rows = await context.connections.of(session.id);
  const services = context.directory.all.filter(
    ({ environment }) => query.environment === undefined || environment === query.environment,
  );
  return {
    connections: await Promise.all(
      services.map((service) =>
        connectionAnswer(
          context,
          service,
          rows.find((row) => row.environment === service.environment && row.service === service.service),
        ),
      ),
    ),
  };
};
