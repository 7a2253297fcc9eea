import { outcomeUnknown } from '#conflict/guarded-write.ts';
import type { Asker } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { whatFailed } from '#shared/access/stored-record.ts';
import { accountOfToken, changePassword, getAccount, people } from '#upstreams/access-controller/people.ts';

export const changeOwnPassword: Operation<'people.changeOwnPassword'> = audited(
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

    // Whoever found a browser open must not guess here what the sign-in would not let them guess.
    const counted = context.limits.accountOf(
      { environment, service: 'access' },
      { method: 'password', login_name: connection.login_name, password: '' },
    );
    const reserved = await context.limits.reserve(counted, { session: session.id });
    try {
      await context.sessions.sparing(session.id, async () => {
        await changePassword(caller, account, body);
        await context.sessions.endOfAccount([environment], connection.account_id);
      });
    } catch (error) {
      const guessed =
        error instanceof ProblemError && error.init.fields?.some(({ path }) => path === 'current_password');
      if (guessed !== true) await reserved.undo();
      if (whatFailed(error) === 'unknown') {
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
    await signInAgain(
      context,
      { sessionId: session.id, environment, loginName: connection.login_name, asker: person },
      body.new_password,
    );
  },
);

/**
 * A new password voids the tokens of the old one, this session's among them. Where signing in again fails, the person
 * is asked to.
 */
async function signInAgain(
  context: Context,
  {
    sessionId,
    environment,
    loginName,
    asker,
  }: {
    readonly sessionId: string;
    readonly environment: string;
    readonly loginName: string;
    readonly asker: Asker;
  },
  password: string,
): Promise<void> {
  const before = await context.connections.token(sessionId, environment, 'access');
  try {
    const credentials = { method: 'password', login_name: loginName, password } as const;
    const granted = await context.directory.service(environment, 'access').signIn(credentials, asker);
    await context.connections.keep(sessionId, environment, 'access', granted);
  } catch (error) {
    context.log.warn('not signed in again', { error });
    if (typeof before === 'object')
      await context.connections.refuse(sessionId, environment, 'access', before.tokenId);
  }
}
