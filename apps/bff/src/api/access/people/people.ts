import { harmOfPersonChanges } from '@gatehouse/api-types/console/harm-of';
import type { LockOutStep, Person, PersonChanges } from '@gatehouse/api-types/console/people';
import { revokeTokens, tokensOfPerson } from '#api/secrets/tokens-of-person.ts';
import { pathsOf } from '#audit/wish.ts';
import { guardedWrite, outcomeUnknown } from '#conflict/guarded-write.ts';
import type { Asker, AuditNote } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, audited, type Operation } from '#operation/operation.ts';
import { hasPasswordOf, type ToldConnection } from '#session/connections.ts';
import { signInAndUse } from '#session/limited-sign-in.ts';
import { accountStore, idsOfAccount, placesOfAccount, type SignInPlace } from '#session/people.ts';
import { serviceToken, type ServiceCall } from '#session/service-token.ts';
import type { SessionRow } from '#store/schema.ts';
import {
  people,
  accountOfPerson,
  setPassword,
  accountOfToken,
  changePassword,
  getAccount,
} from '#upstreams/access-controller/people.ts';
import type { SignInService } from '#upstreams/directory.ts';
import { haveEnded, sessionSummaries } from '../../console/session-answer.ts';
import { changed, followed, type Sequel } from '../became.ts';
import { inAccess, accessCaller } from '../caller.ts';
import { collectionOperations, deleteRecord, listRecords, updateRecord } from '../records.ts';
import { storedRecord, versionOf, whatFailed } from '../stored-record.ts';
import { cancelSessions, disable, stopWork } from './lock-out.ts';

/** Tokens of the secrets server, of all users, that are looked up to show or to revoke a user's. */
const mostShownOf = 500;
const mostRevokedOf = 5_000;

const changeOwnPassword: Operation<'people.changeOwnPassword'> = audited(
  { became: changed(people) },
  async (context, call) => {
    const { environment } = call.params;
    const { body, session, caller: person } = call;
    const caller = await accessCaller(context, call);
    const rows = await context.connections.of(session.id);
    const connection = rows.find((row) => row.environment === environment && row.service === 'access');
    if (connection === undefined)
      throw new ProblemError('not-connected', 'Sign in to the access controller first.');
    call.note.saw({ id: connection.account_id, name: connection.login_name });
    const account = await getAccount(caller, await accountOfToken(caller, connection.token_id));

    // Counted like sign-ins, so that an open browser can't be used to guess the password.
    const by = { session: session.id };
    const counted = context.limits.accountOf(
      { environment, service: 'access' },
      { method: 'password', login_name: connection.login_name, password: '' },
      by,
    );
    const reserved = await context.limits.reserve(counted, by);
    const { account_id: accountId } = connection;
    const endOthers = () => context.sessions.endOfAccount(placeOf(call), accountId, { except: session.id });
    let isSignedIn: boolean;
    try {
      isSignedIn = await context.sessions.changingPassword(
        { sessionId: session.id, environment, accountId },
        async () => {
          await changePassword(caller, account, body);
          await endOthers();
        },
      );
    } catch (error) {
      const guessed =
        error instanceof ProblemError && error.init.fields?.some(({ path }) => path === 'current_password');
      if (guessed !== true) await reserved.undo();
      if (whatFailed(error) === 'unknown') {
        await endOthers();
        const resource = {
          environment,
          service: 'access',
          kind: 'password',
          id: connection.account_id,
        } as const;
        throw outcomeUnknown({ resource }, error);
      }
      throw error;
    }
    await reserved.succeed();
    if (!isSignedIn) return;
    const of = connectionsOf(context, connection, rows);
    await Promise.all(of.map((one) => signInAgain(context, one, body.new_password, person)));
  },
);

const resetPassword: Operation<'people.resetPassword'> = audited(
  { became: changed(people) },
  async (context, call) => {
    const { body, params, revision, note } = call;
    versionOf(revision);
    const caller = await accessCaller(context, call);
    const stored = storedRecord(people, caller, params.id, note);
    return guardedWrite({
      ...stored,
      expected: revision,
      send: async () => {
        const account = await accountOfPerson(caller, params.id);
        if (account === undefined) {
          throw new ProblemError('invalid-request', "This user doesn't sign in with a password.", {
            service: 'access',
            environment: params.environment,
          });
        }
        try {
          await setPassword(caller, account, body.new_password);
          await endSessions(context, call);
          return await people.get(caller, params.id);
        } catch (error) {
          if (whatFailed(error) !== 'unknown') throw error;
          // A password can't be compared with the stored one, so it counts as changed by someone who may change it.
          if (account.authorized_actions.includes('set-password')) await endSessions(context, call);
          throw outcomeUnknown(stored, error);
        }
      },
      equalsSent: () => false,
      readFirst: true,
    });
  },
);

/** The connections of a session that are of the same account as one of them. */
function connectionsOf(
  { config, directory }: Context,
  own: ToldConnection,
  rows: readonly ToldConnection[],
): readonly (readonly [SignInService, ToldConnection])[] {
  return rows.flatMap((row) => {
    const service = directory.all.find(
      (one) => one.environment === row.environment && one.service === row.service,
    );
    const isSame = row === own || hasPasswordOf(config.environments, row, own);
    return service !== undefined && isSame ? [[service, row] as const] : [];
  });
}

/**
 * A new password revokes all tokens issued with the old one, including this session's. If signing in again fails, the
 * next request finds the connection expired.
 */
async function signInAgain(
  { connections, log, revocations }: Context,
  [service, { session_id: sessionId, login_name }]: readonly [SignInService, ToldConnection],
  password: string,
  asker: Asker,
): Promise<void> {
  const credentials = { method: 'password', login_name, password } as const;
  try {
    await signInAndUse(revocations, service, credentials, asker, (granted) =>
      connections.keep(sessionId, service.environment, service.service, granted),
    );
  } catch (error) {
    log.warn('sign-in after a password change failed', { error });
  }
}

/** A call about a user. */
interface PersonCall {
  readonly params: { readonly environment: string; readonly id: string };
}

/**
 * Ends the console sessions of a user who can no longer sign in, or whose password changed.
 * @returns those that were active
 */
function endSessions({ sessions }: Context, call: PersonCall): Promise<readonly SessionRow[]> {
  return sessions.endOfAccount(placeOf(call), call.params.id);
}

/**
 * Ends the console sessions of a user who can no longer sign in, and the work that continues without them.
 * @param open the sessions before the change. Since then, some may have ended and others begun.
 * @returns the steps
 */
async function endAccess(
  context: Context,
  call: PersonCall,
  open: readonly SessionRow[],
): Promise<Readonly<Record<string, LockOutStep>>> {
  const [place, { id }] = [placeOf(call), call.params];
  const ended = new Set([...open, ...(await endSessions(context, call))].map((session) => session.id));
  return {
    'ended-sessions': { is_done: true, count: ended.size, words: 'Signed out of the console.' },
    ...(await stopWork(context, {
      sessionIds: [...ended],
      personIds: idsOfAccount(placesOfAccount(context.config.environments, place), id),
    })),
  };
}

/** The access of a user who is disabled or deleted ends. */
const endingAccess: Sequel = async (context, call) => {
  const open = await context.sessions.ofAccount(placeOf(call), call.params.id);
  return async () =>
    pathsOfSteps(await endAccess(context, call, open)).filter((path) => !path.endsWith('=0'));
};

/** The paths by which the trail records the steps of a lock-out. */
function pathsOfSteps(steps: Readonly<Record<string, LockOutStep>>): readonly string[] {
  return Object.entries(steps).map(([name, { count }]) => `${name}=${String(count)}`);
}

/** The access controller of a call. */
function placeOf({ params: { environment } }: Pick<ServiceCall, 'params'>): SignInPlace {
  return { environment, service: 'access' };
}

/**
 * A user and their console sessions.
 * @throws ProblemError `forbidden` if the caller can't edit the user
 */
async function sessionsOf(
  context: Context,
  call: ServiceCall & { readonly note: AuditNote },
  id: string,
): Promise<{ readonly person: Person; readonly open: readonly SessionRow[] }> {
  const { environment } = call.params;
  const person = await people.get(await accessCaller(context, call), id);
  call.note.saw({ id, name: person.login_name });
  if (!person.authorized_actions.includes('update')) {
    throw new ProblemError(
      'forbidden',
      'Only those who can edit this person can see and end their sessions.',
      {
        service: 'access',
        environment,
      },
    );
  }
  return { person, open: await context.sessions.ofAccount(placeOf(call), id) };
}

const listConsoleSessions: Operation<'people.listConsoleSessions'> = async (context, call) => ({
  sessions: sessionSummaries((await sessionsOf(context, call, call.params.id)).open, call.session.id),
});

const endConsoleSessions: Operation<'people.endConsoleSessions'> = audited(
  {
    became: async ({ sessions }, call, intent) =>
      haveEnded(await sessions.ofAccount(placeOf(call), intent.resource_id), intent),
  },
  async (context, call) => {
    const { open } = await sessionsOf(context, call, call.params.id);
    return { ended: await context.sessions.endOthers(open, call.session.id) };
  },
);

/** Every step is tried, whatever becomes of the others. If the account can't be disabled, the lock-out has failed. */
const lockOut: Operation<'people.lockOut'> = audited(
  {
    became: followed(
      changed(people, ({ disabled }) => disabled),
      () => endingAccess,
    ),
  },
  async (context, call) => {
    const { params, note } = call;
    if ((await serviceToken(context, call, 'access')).accountId === params.id)
      throw new ProblemError('invalid-request', "You can't lock out yourself.");
    const caller = await accessCaller(context, call);
    const { person, open } = await sessionsOf(context, call, params.id);
    const [disabled] = await Promise.allSettled([disable(caller, person, note)]);
    const steps: Readonly<Record<string, LockOutStep>> = {
      ...(await endAccess(context, call, open)),
      'cancelled-sessions': await cancelSessions(caller, params.id, note),
      ...(keepsTokens(context, params.environment) && {
        'revoked-tokens': await revokeTokens(context, call, person.login_name, mostRevokedOf),
      }),
    };
    note.changed(pathsOfSteps(steps));
    if (disabled.status === 'fulfilled')
      return { revision: disabled.value.revision, steps: Object.values(steps) };
    const error: unknown = disabled.reason;
    if (!(error instanceof ProblemError)) throw error;
    const words = [error.message, ...Object.values(steps).map((step) => step.words)].join(' ');
    throw new ProblemError(error.code, words, error.init);
  },
);

/** Whether tokens of the environment's secrets server stay valid when an account of the access controller is disabled. */
function keepsTokens({ config: { environments } }: Context, environment: string): boolean {
  const { services } = environments.find(({ id }) => id === environment) ?? {};
  return (
    services?.secrets !== undefined && accountStore(environments, { environment, service: 'secrets' }) !== ''
  );
}

const listTokens: Operation<'people.listTokens'> = async (context, call) => {
  const { login_name } = await people.get(await accessCaller(context, call), call.params.id);
  const found = await tokensOfPerson(context, call, login_name, mostShownOf);
  const tokens = found?.tokens.map(({ accessor, creation_time, expire_time }) => ({
    accessor,
    created_time: new Date(creation_time * 1000).toISOString(),
    expire_time,
  }));
  return { tokens: tokens ?? null, unread: found?.unread ?? 0 };
};

/** The changed fields. Locking out and letting in again are told apart by the value. */
function pathsOfChanges(changes: PersonChanges): readonly string[] {
  return pathsOf(changes).map((path) =>
    path === 'disabled' ? `disabled=${String(changes.disabled)}` : path,
  );
}

export const peopleOperations = resource(inAccess, {
  ...collectionOperations('people', people),
  'people.list': listRecords(people, { scope_id: 'global' }),
  'people.update': updateRecord(people, {
    harm: harmOfPersonChanges,
    paths: pathsOfChanges,
    sequelOf: (changes) => ('disabled' in changes && changes.disabled === true ? endingAccess : undefined),
  }),
  'people.delete': deleteRecord(people, endingAccess),
  'people.resetPassword': resetPassword,
  'people.lockOut': lockOut,
  'people.listTokens': listTokens,
  'people.listConsoleSessions': listConsoleSessions,
  'people.endConsoleSessions': endConsoleSessions,
  'people.changeOwnPassword': changeOwnPassword,
});
