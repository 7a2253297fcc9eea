import type { Credentials } from '@gatehouse/api-types/console/session';
import type { Asker, AuditNote } from '#ground/call.ts';
import { atMost } from '#ground/pause.ts';
import { isNoRole } from '#ground/service-nouns.ts';
import type { Context } from '#operation/context.ts';
import type { ToldConnection } from '#session/connections.ts';
import { signInAndUse } from '#session/limited-sign-in.ts';
import { accountStore, personIdOf, type SignInPlace } from '#session/people.ts';
import type { ActiveSession } from '#session/session.ts';
import type { SignInService } from '#upstreams/directory.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';
import { isUsable } from './connection-answer.ts';

/** How long a sign-in waits for the environment's other services, in milliseconds. */
const othersMs = 3_000;

/** Whether an account isn't the session's own, at the service that its user signed in to. */
export function isSomeoneElse(session: ActiveSession, place: SignInPlace, granted: GrantedToken): boolean {
  return (
    place.environment === session.environment &&
    place.service === session.service &&
    personIdOf(place, granted) !== session.personId
  );
}

/**
 * After a service has accepted a password, also signs in to the services of its environment that have the same accounts
 * and take passwords, and to which the session has no usable connection, unless it has one there as someone else. A
 * service that is down stays unconnected, and a slow one is connected later, because the user may not need it, unless
 * the user has decided otherwise by then. Each that is connected has its own entry in the trail. Never rejects.
 */
export async function connectOthers(
  context: Context,
  session: ActiveSession,
  place: SignInPlace,
  credentials: Credentials,
  asker: Asker,
  note: Pick<AuditNote, 'did'>,
): Promise<void> {
  if (credentials.method !== 'password') return;
  const { clock, config, connections, directory, log, revocations, sessions } = context;
  const { environment } = place;
  const store = accountStore(config.environments, place);
  // A code is guessed at the service that asks for it, where attempts are counted.
  const { two_factor_code: _, ...password } = credentials;
  const loginName = password.login_name.toLowerCase();

  const connect = async (other: SignInService, before: string | undefined): Promise<void> => {
    try {
      await signInAndUse(revocations, other, password, asker, async (granted) => {
        const isOver = !(await sessions.ofPerson(session.personId)).some(({ id }) => id === session.id);
        const now = connectionIn(await connections.of(session.id), other)?.token_id;
        if (isOver || now !== before || isSomeoneElse(session, other, granted))
          throw new Error('the session has ended, is connected otherwise, or belongs to someone else');
        await connections.keep(session.id, environment, other.service, granted);
        await note.did({
          action: 'connection.connect',
          service: other.service,
          session,
          id: other.service,
          paths: [],
        });
      });
    } catch (error) {
      if (isNoRole(error)) await connections.deny(session.id, environment, other.service);
      else throw error;
    }
  };

  const connectAll = async (): Promise<void> => {
    const known = await connections.of(session.id);
    const others = directory.all.filter(
      (other) => other.environment === environment && accountStore(config.environments, other) === store,
    );
    const usable = others.flatMap((other) => {
      const row = connectionIn(known, other);
      return row !== undefined && isUsable(row, clock.now()) ? [row] : [];
    });
    if (usable.some((row) => row.login_name.toLowerCase() !== loginName)) return;
    const missing = others.filter(
      ({ service, config: { signIn } }) =>
        service !== place.service &&
        signIn.includes('password') &&
        !usable.some((row) => row.service === service),
    );
    const connected = missing.map((other) =>
      connect(other, connectionIn(known, other)?.token_id).catch((error: unknown) => {
        log.info('not connected along with another service', {
          requestId: asker.requestId,
          upstream: `${environment}/${other.service}`,
          error,
        });
      }),
    );
    await atMost(Promise.all(connected), othersMs);
  };
  await connectAll().catch((error: unknown) => {
    log.error('other services not connected', { requestId: asker.requestId, error });
  });
}

function connectionIn(rows: readonly ToldConnection[], { environment, service }: SignInPlace) {
  return rows.find((row) => row.environment === environment && row.service === service);
}
