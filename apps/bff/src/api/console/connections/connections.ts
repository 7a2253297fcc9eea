import { ProblemError } from '#ground/problem.ts';
import { isNoRole } from '#ground/service-nouns.ts';
import type { Context } from '#operation/context.ts';
import { resource, type Operation, audited } from '#operation/operation.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import type { AuditRow } from '#store/schema.ts';
import { checkAttempt } from '../check-attempt.ts';
import { connectOthers, isSomeoneElse } from '../connect-others.ts';
import { connectionsOf } from '../connection-answer.ts';

const connect: Operation<'connections.connect'> = audited(
  {
    precondition: (context, { params, body, caller }) =>
      checkAttempt(context, { ...params, credentials: body.credentials }, caller.address),
    became: async (context, _call, intent) => ({
      outcome: (await connectedSince(context, intent, intent.time)) ? 'succeeded' : 'failed',
    }),
  },
  async (context, { params, body, session, caller, note }) => {
    const { environment, service: name } = params;
    const service = context.directory.service(environment, name);
    await signInLimited(context, service, body.credentials, caller, async (granted) => {
      if (isSomeoneElse(session, params, granted)) {
        throw new ProblemError(
          'sign-in-failed',
          `This session belongs to ${session.loginName}. Sign out first to sign in as someone else.`,
          { service: name, environment },
        );
      }
      await context.connections.keep(session.id, environment, name, granted, body.credentials.method);
    }).catch(async (error: unknown) => {
      if (isNoRole(error)) await context.connections.deny(session.id, environment, name);
      throw error;
    });
    await connectOthers(context, session, params, body.credentials, caller, note);
    return (await connectionsOf(context, session.id))(service);
  },
);

const disconnect: Operation<'connections.disconnect'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await connectedSince(context, intent, 0)) ? 'failed' : 'succeeded',
    }),
  },
  async (context, { params, session }) => {
    const service = context.directory.service(params.environment, params.service);
    await context.connections.drop(session.id, params.environment, params.service);
    return (await connectionsOf(context, session.id))(service);
  },
);

const listConnections: Operation<'connections.list'> = async (context, { query, session }) => {
  const answer = await connectionsOf(context, session.id);
  const services = context.directory.all.filter(
    ({ environment }) => query.environment === undefined || environment === query.environment,
  );
  return { connections: await Promise.all(services.map(answer)) };
};

export const connectionOperations = resource(
  {
    service: '',
    address: ({ params: { service = '' } }) => ({ service, id: service, paths: [] }),
  },
  {
    'connections.list': listConnections,
    'connections.connect': connect,
    'connections.disconnect': disconnect,
  },
);

/** Whether the intent's session connected to the service at or after a time, in milliseconds since the epoch. */
async function connectedSince({ connections }: Context, intent: AuditRow, time: number): Promise<boolean> {
  const rows = await connections.of(intent.session_id);
  return rows.some(
    (row) =>
      row.environment === intent.environment && row.service === intent.service && row.connected_at >= time,
  );
}
