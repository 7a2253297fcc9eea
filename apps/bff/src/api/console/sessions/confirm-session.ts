import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { notReceived } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { accountToConfirm } from '#session/confirmed.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import { sessionLimits } from '#session/session.ts';
import { sessionAnswer } from '#shared/console/session-answer.ts';

export const confirmSession: Operation<'session.confirm'> = audited(
  {
    address: ({ body: { environment, service } }) => ({
      environment,
      ...(service !== undefined && { service }),
    }),
    became: notReceived,
  },
  async (context, { body, session, caller }) => {
    const { environment } = body;
    const connected = await context.connections.of(session.id);
    const account = accountToConfirm(session, connected, environment, body.service);
    if (account === undefined) {
      throw new ProblemError('not-connected', 'Connect to a service of this environment first.', {
        environment,
        ...(body.service !== undefined && { service: body.service }),
      });
    }
    const name = account.service as ServiceName;
    const service = context.directory.service(environment, name);
    const isPassword = account.method === 'password';
    const credentials: Credentials = isPassword
      ? {
          method: 'password',
          login_name: account.login_name,
          password: body.secret,
          ...(body.two_factor_code !== undefined && { two_factor_code: body.two_factor_code }),
        }
      : { method: 'token', token: body.secret };
    // Guesses of strangers at the same address keep nobody out who is in: the service hears of none.
    const asker = { requestId: caller.requestId, address: '' };
    const by = { session: session.id };
    const granted = await signInLimited(context.limits, service, credentials, asker, by);
    const kept = await context.connections.token(session.id, environment, name);
    const isKept = typeof kept === 'object' && kept.token === granted.token;
    // A password gave a new token that nobody needs; a token given again is the session's own and stays.
    if (isPassword) {
      await context.revocations.revokeUnused({ environment, service: name }, granted);
    } else if (!isKept) {
      throw new ProblemError('sign-in-failed', 'This is not the token that you signed in with.', {
        service: name,
        environment,
      });
    }
    if (account.account_id !== granted.accountId) {
      throw new ProblemError('sign-in-failed', 'This password belongs to another account.', {
        service: name,
        environment,
      });
    }
    // Where services share their accounts, one password is that of all.
    const { sharedAccounts } = context.config.environments.find(({ id }) => id === environment) ?? {};
    const isSame = (one: typeof account): boolean =>
      one.service === name ||
      (sharedAccounts === true &&
        isPassword &&
        one.method === 'password' &&
        one.login_name.toLowerCase() === account.login_name.toLowerCase());
    await context.connections.confirm(
      connected.filter((one) => one.environment === environment && isSame(one)),
      context.clock.now() + sessionLimits.confirmation,
    );
    return sessionAnswer(context, session);
  },
);
