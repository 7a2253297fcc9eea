import { notReceived } from '#audit/became.ts';
import type { Asker } from '#ground/call.ts';
import { isNoRole } from '#ground/service-nouns.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { clientName } from '#session/client-name.ts';
import { signInAndUse, signInLimited } from '#session/limited-sign-in.ts';
import { accountStore, personIdOf } from '#session/people.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';
import { checkAttempt } from '../check-attempt.ts';
import { sessionAnswer } from '../session-answer.ts';

export const signIn: Operation<'session.signIn'> = audited(
  {
    address: ({ body: { environment, service, credentials } }) => ({
      environment,
      service,
      loginName: credentials.method === 'password' ? credentials.login_name : '',
    }),
    // If the answer with the cookie was lost, nobody was signed in.
    became: notReceived,
    precondition: (context, { body, caller }) => checkAttempt(context, body, caller.address),
  },
  async (context, { body, session: before, caller }) => {
    const service = context.directory.service(body.environment, body.service);
    const { method } = body.credentials;
    const begin = async (granted: GrantedToken) => {
      const begun = await context.sessions.begin({
        personId: personIdOf(body, granted),
        personName: granted.accountName,
        loginName: granted.loginName,
        environment: body.environment,
        service: body.service,
        method,
        tokenExpiresAt: granted.expiresAt,
        address: caller.address,
        client: clientName(caller.userAgent),
      });
      await context.connections.keep(begun.session.id, body.environment, body.service, granted, method);
      return begun;
    };
    const { secret, session } = await signInLimited(context, service, body.credentials, caller, begin);
    await connectOthers(context, session.id, body, caller);
    if (before !== undefined) await context.sessions.end(before.id, 'ended');
    caller.setCookie(context.cookie.store(secret, caller.port));
    context.log.info('signed in', { requestId: caller.requestId, userId: session.personId });
    return sessionAnswer(context, session);
  },
);

/** How long a sign-in waits for the environment's other services, in milliseconds. */
const othersMs = 3_000;

/**
 * If accounts are shared, also signs in to the environment's other services. A service that is down stays unconnected,
 * and a slow one is connected later, because the user may not need it.
 */
const connectOthers = async (
  { config, connections, directory, revocations }: Parameters<typeof signIn>[0],
  sessionId: string,
  { environment, service, credentials }: Parameters<typeof signIn>[1]['body'],
  asker: Asker,
): Promise<void> => {
  if (credentials.method !== 'password') return;
  const { environments } = config;
  const store = accountStore(environments, { environment, service });
  const others = directory.all.filter(
    (other) =>
      other.environment === environment &&
      other.service !== service &&
      accountStore(environments, other) === store,
  );
  const connected = Promise.allSettled(
    others.map((other) =>
      signInAndUse(revocations, other, credentials, asker, (granted) =>
        connections.keep(sessionId, environment, other.service, granted),
      ).catch(async (error: unknown) => {
        if (isNoRole(error)) await connections.deny(sessionId, environment, other.service);
      }),
    ),
  );
  let late: NodeJS.Timeout | undefined;
  const waited = new Promise((resolve) => (late = setTimeout(resolve, othersMs)));
  await Promise.race([connected, waited]);
  clearTimeout(late);
};
