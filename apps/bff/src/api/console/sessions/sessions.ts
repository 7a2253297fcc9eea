import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Credentials } from '@gatehouse/api-types/console/session';
import { boxesCaller } from '#api/boxes/caller.ts';
import { notReceived } from '#audit/became.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation, type ResourceAudit } from '#operation/operation.ts';
import { accountToConfirm } from '#session/confirmed.ts';
import { hasPasswordOf, type ToldConnection } from '#session/connections.ts';
import { signInLimited } from '#session/limited-sign-in.ts';
import type { ServiceCall } from '#session/service-token.ts';
import { sessionLimits } from '#session/session.ts';
import type { AuditRow } from '#store/schema.ts';
import { readTwoFactor } from '#upstreams/box-registry/management.ts';
import { environmentsAnswer, haveEnded, sessionAnswer, sessionSummaries } from '../session-answer.ts';
import { signIn } from './sign-in.ts';

/** How the audit trail identifies console sessions: by the user's name. Their bodies have no recorded fields. */
const inSessions: ResourceAudit = {
  service: '',
  address: ({ params, session }) => ({
    id: params['id'] ?? session?.id ?? '',
    name: session === undefined ? '' : session.personName || session.loginName,
    paths: [],
  }),
};

const confirmSession: Operation<'session.confirm'> = audited(
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
    // Without an address, so that strangers' wrong guesses from the same address don't lock out a signed-in user.
    const asker = { requestId: caller.requestId, address: '' };
    const by = { session: session.id };
    const granted = await signInLimited(
      context,
      service,
      credentials,
      asker,
      async (made) => {
        // A password created a new token that isn't needed.
        if (isPassword) await context.revocations.revokeUnused({ environment, service: name }, made);
        return made;
      },
      by,
    );
    const kept = await context.connections.token(session.id, environment, name);
    const isKept = typeof kept === 'object' && kept.token === granted.token;
    // A token entered again is the session's own and is kept.
    if (!isPassword && !isKept) {
      throw new ProblemError('sign-in-failed', 'This is not the token that you signed in with.', {
        service: name,
        environment,
      });
    }
    if (account.account_id !== granted.accountId) {
      throw new ProblemError(
        'sign-in-failed',
        'This login name now belongs to another account. Sign out, and sign in again.',
        {
          service: name,
          environment,
        },
      );
    }
    const { environments } = context.config;
    const here = connected.filter((one) => one.environment === environment);
    const others = here.filter(
      (one) => one.service !== name && isPassword && hasPasswordOf(environments, one, account),
    );
    const needsCode = await mayHaveTwoFactor(context, { params: { environment }, session, caller }, others);
    await context.connections.confirm(
      [
        ...here.filter((one) => one.service === name),
        ...others.filter(({ service: other }) => other !== 'boxes' || !needsCode),
      ],
      context.clock.now() + sessionLimits.confirmation,
    );
    return sessionAnswer(context, session);
  },
);

const endOtherSessions: Operation<'sessions.endOthers'> = audited(
  {
    became: async ({ sessions }, _call, intent) =>
      haveEnded(await sessions.ofPerson(intent.person_id), intent),
  },
  async ({ sessions }, { session }) => ({
    ended: await sessions.endOthers(await sessions.ofPerson(session.personId), session.id),
  }),
);

const endSession: Operation<'sessions.end'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await hasEnded(context, intent)) ? 'succeeded' : 'failed',
    }),
  },
  async ({ cookie, sessions }, { params, session, caller }) => {
    const own = await sessions.ofPerson(session.personId);
    if (!own.some(({ id }) => id === params.id)) {
      throw new ProblemError('not-found', "This session doesn't exist or has already ended.");
    }
    await sessions.end(params.id, 'ended');
    if (params.id === session.id) caller.setCookie(cookie.clear(caller.port));
  },
);

const findSession: Operation<'session.find'> = async (context, { session, signedOut }) => ({
  session: session === undefined ? null : await sessionAnswer(context, session),
  signed_out: signedOut ?? null,
});

const getSession: Operation<'session.get'> = async (context, { session }) => sessionAnswer(context, session);

const getSignInOptions: Operation<'session.getSignInOptions'> = async ({ config, version }) => ({
  environments: environmentsAnswer(config),
  version,
});

const listSessions: Operation<'sessions.list'> = async ({ sessions }, { session }) => ({
  sessions: sessionSummaries(await sessions.ofPerson(session.personId), session.id),
});

const signOut: Operation<'session.signOut'> = audited(
  {
    became: async (context, _call, intent) => ({
      outcome: (await hasEnded(context, intent)) ? 'succeeded' : 'failed',
    }),
  },
  async ({ cookie, deliveries, log, moveJobs, sessions }, { query, session, caller }) => {
    if (query.stop_deliveries === true) {
      const own = { sessionIds: [session.id], personIds: [] };
      await Promise.all([
        deliveries.stopOf(own, 'The delivery was stopped when you signed out.'),
        moveJobs.pauseOf(own, "The move's owner signed out."),
      ]);
    }
    await sessions.end(session.id, 'ended');
    caller.setCookie(cookie.clear(caller.port));
    log.info('signed out', { requestId: caller.requestId, userId: session.personId });
  },
);

export const sessionOperations = resource(inSessions, {
  'session.getSignInOptions': getSignInOptions,
  'session.signIn': signIn,
  'session.find': findSession,
  'session.get': getSession,
  'session.signOut': signOut,
  'session.confirm': confirmSession,
  'sessions.list': listSessions,
  'sessions.end': endSession,
  'sessions.endOthers': endOtherSessions,
});

/** Whether the account at the box registry has a second factor, which its password at another service doesn't replace. */
async function mayHaveTwoFactor(
  context: Context,
  call: ServiceCall,
  connected: readonly ToldConnection[],
): Promise<boolean> {
  if (!connected.some(({ service }) => service === 'boxes')) return false;
  const state = await boxesCaller(context, call)
    .then(readTwoFactor)
    .catch(() => null);
  return state?.enabled !== false;
}

/** Whether the intent's session has ended. */
async function hasEnded({ sessions }: Context, { person_id, resource_id }: AuditRow): Promise<boolean> {
  return !(await sessions.ofPerson(person_id)).some(({ id }) => id === resource_id);
}
