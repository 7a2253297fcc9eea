/** Whose password or token is entered again before a dangerous operation, and until when it counts. */
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { ToldConnection } from './connections.ts';
import type { ActiveSession } from './session.ts';

/**
 * The account that is asked for its password or token before something is done at a service: the one that acts there. Another
 * account of the environment never answers for it, for anybody at an open browser can connect their own.
 * @param service where it is done; empty where that is no service: then it is the account of the sign-in
 * @returns undefined where the session is connected to no such service
 */
export function accountToConfirm(
  session: ActiveSession,
  connections: readonly ToldConnection[],
  environment: string,
  service: ServiceName | '' = '',
): ToldConnection | undefined {
  const here = connections.filter((one) => one.environment === environment);
  const at = (name: string): ToldConnection | undefined => here.find((one) => one.service === name);
  // Where no account acts, the service does nothing: any account of the environment may be asked.
  return at(service) ?? (environment === session.environment ? at(session.service) : here[0]);
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
