/** Whose password is entered again before a dangerous operation, and until when it counts. */
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { ToldConnection } from './connections.ts';
import type { ActiveSession } from './session.ts';

/** How an account of a session signed in to a service. */
export function methodOf(session: ActiveSession, { method }: ToldConnection): string {
  return method ?? session.method;
}

/**
 * The account of an environment that is asked for its password before something is done at a service: the one that acts
 * there, or where that one came with a token, another one of the environment that has a password.
 * @param service where it is done; empty where that is no service
 * @returns undefined where the session is connected to no service of the environment
 */
export function accountToConfirm(
  session: ActiveSession,
  connections: readonly ToldConnection[],
  environment: string,
  service: ServiceName | '' = '',
): ToldConnection | undefined {
  const rank = (one: ToldConnection): number =>
    (methodOf(session, one) === 'password' ? 4 : 0) +
    (one.service === service ? 2 : 0) +
    (one.environment === session.environment && one.service === session.service ? 1 : 0);
  return connections
    .filter((one) => one.environment === environment)
    .toSorted((a, b) => rank(b) - rank(a))[0];
}

/** Until when nothing is asked for, by environment, in milliseconds since the epoch: at whichever of its services something is done. */
export function confirmedUntil(
  session: ActiveSession,
  connections: readonly ToldConnection[],
  now: number,
): readonly (readonly [environment: string, until: number])[] {
  return [...Map.groupBy(connections, ({ environment }) => environment)].flatMap(([environment, own]) => {
    const times = own.map(
      ({ service }) =>
        accountToConfirm(session, own, environment, service as ServiceName)?.confirmed_until ?? 0,
    );
    const until = Math.min(...times);
    return until > now ? [[environment, until] as const] : [];
  });
}
