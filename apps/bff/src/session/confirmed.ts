/** Whose password or token is entered again before a dangerous operation, and how long it counts. */
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { ToldConnection } from './connections.ts';
import type { ActiveSession } from './session.ts';

/**
 * The account that is asked for its password or token before an operation at a service: the account that acts there. No
 * other account of the environment counts, because anyone at an open browser can connect their own.
 * @param service where the operation acts; empty for no service, and the account of the sign-in is asked then
 * @returns undefined if the session isn't connected to such a service
 */
export function accountToConfirm(
  session: ActiveSession,
  connections: readonly ToldConnection[],
  environment: string,
  service: ServiceName | '' = '',
): ToldConnection | undefined {
  const here = connections.filter((one) => one.environment === environment);
  const at = (name: string): ToldConnection | undefined => here.find((one) => one.service === name);
  // If no account acts, the service does nothing, so any account of the environment may be asked.
  return at(service) ?? (environment === session.environment ? at(session.service) : here[0]);
}

/** Until when nothing is asked for, by environment, in milliseconds since the epoch, whichever of its services acts. */
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
