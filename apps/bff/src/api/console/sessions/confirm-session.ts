import type { Credentials } from '@gatehouse/api-types/console/session';
import { notReceived } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import { isPerson } from '#session/people.ts';
import { sessionAnswer } from '#shared/console/session-answer.ts';

export const confirmSession: Operation<'session.confirm'> = audited(
  { became: notReceived },
  async (context, { body, session, caller }) => {
    const { environment, service: name } = session;
    const service = context.directory.service(environment, name);
    const credentials: Credentials =
      session.method === 'password'
        ? {
            method: 'password',
            login_name: session.loginName,
            password: body.secret,
            ...(body.two_factor_code !== undefined && { two_factor_code: body.two_factor_code }),
          }
        : { method: 'token', token: body.secret };
    const granted = await signInLimited(context.limits, service, credentials, caller);
    const kept = await context.connections.token(session.id, environment, name);
    const isKept = typeof kept === 'object' && kept.token === granted.token;
    // A password gave a new token that nobody needs; a token given again is the session's own and stays.
    if (session.method === 'password') {
      await context.revocations.revokeUnused({ environment, service: name }, granted);
    } else if (!isKept) {
      throw new ProblemError('sign-in-failed', 'This is not the token that you signed in with.', {
        service: name,
        environment,
      });
    }
    if (!isPerson(session.personId, { environment, service: name }, granted)) {
      throw new ProblemError('sign-in-failed', 'This is the password of another account.', {
        service: name,
        environment,
      });
    }
    return sessionAnswer(context, await context.sessions.confirm(session));
  },
);
