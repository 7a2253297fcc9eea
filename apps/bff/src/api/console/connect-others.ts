import type { Credentials } from '@gatehouse/api-types/console/session';
import type { Asker, AuditNote } from '#ground/call.ts';
import { atMost } from '#ground/pause.ts';
import { isNoRole } from '#ground/service-nouns.ts';
import type { Context } from '#operation/context.ts';
import { signInAndUse } from '#session/limited-sign-in.ts';
import { accountStore, personIdOf, type SignInPlace } from '#session/people.ts';
import type { ActiveSession } from '#session/session.ts';
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
 * and to which the session has no usable connection, unless it has one there as somebody else. A service that is down
 * stays unconnected, and a slow one is connected later, because the user may not need it. Each that is connected has
 * its own entry in the trail.
 */
export async function connectOthers(
  { clock, config, connections, directory, revocations }: Context,
  session: ActiveSession,
  place: SignInPlace,
  credentials: Credentials,
  asker: Asker,
  note: Pick<AuditNote, 'did'>,
): Promise<void> {
  if (credentials.method !== 'password') return;
  const { environments } = config;
  const { environment, service } = place;
  const usable = (await connections.of(session.id)).filter(
    (row) => row.environment === environment && isUsable(row, clock.now()),
  );
  const loginName = credentials.login_name.toLowerCase();
  if (usable.some((row) => row.login_name.toLowerCase() !== loginName)) return;
  const store = accountStore(environments, place);
  const others = directory.all.filter(
    (other) =>
      other.environment === environment &&
      other.service !== service &&
      accountStore(environments, other) === store &&
      !usable.some((row) => row.service === other.service),
  );
  const connected = Promise.allSettled(
    others.map((other) =>
      signInAndUse(revocations, other, credentials, asker, async (granted) => {
        if (isSomeoneElse(session, other, granted)) throw new Error('the account of someone else');
        await connections.keep(session.id, environment, other.service, granted);
        await note.did({
          action: 'connection.connect',
          service: other.service,
          session,
          id: other.service,
          paths: [],
          revisionBefore: null,
          revisionAfter: null,
        });
      }).catch(async (error: unknown) => {
        if (isNoRole(error)) await connections.deny(session.id, environment, other.service);
      }),
    ),
  );
  await atMost(connected, othersMs);
}
