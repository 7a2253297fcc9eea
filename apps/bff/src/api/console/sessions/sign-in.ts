import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { clientName } from '#session/client-name.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import { personIdOf } from '#session/people.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';
import { checkAttempt } from '../check-attempt.ts';
import { connectOthers } from '../connect-others.ts';
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
  async (context, { body, session: before, caller, note }) => {
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
    await connectOthers(context, session, body, body.credentials, caller, note);
    if (before !== undefined) await context.sessions.end(before.id, 'ended');
    caller.setCookie(context.cookie.store(secret, caller.port));
    context.log.info('signed in', { requestId: caller.requestId, userId: session.personId });
    return sessionAnswer(context, session);
  },
);
