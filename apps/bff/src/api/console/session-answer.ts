import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import type { Environment, Session, SessionSummary } from '@gatehouse/api-types/console/session';
import type { Became } from '#audit/became.ts';
import type { Config } from '#config/config.ts';
import type { Context } from '#operation/context.ts';
import { confirmedUntil } from '#session/confirmed.ts';
import { accountStore } from '#session/people.ts';
import { sessionLimits, type ActiveSession } from '#session/session.ts';
import type { AuditRow, SessionRow } from '#store/schema.ts';

/** A session as the page gets it. */
export async function sessionAnswer(context: Context, session: ActiveSession): Promise<Session> {
  const confirmed = confirmedUntil(session, await context.connections.of(session.id), context.clock.now());
  return {
    id: session.id,
    person: { id: session.personId, name: session.personName, login_name: session.loginName },
    environment: session.environment,
    method: session.method,
    signed_in_at: timestamp(session.signedInAt),
    idle_expires_at: timestamp(Math.min(session.lastActiveAt + sessionLimits.idle, session.expiresAt)),
    expires_at: timestamp(session.expiresAt),
    confirmed_until: Object.fromEntries(confirmed.map(([id, until]) => [id, timestamp(until)])),
    environments: environmentsAnswer(context.config),
    version: context.version,
  };
}

/** Sessions as the page gets them. @param own the ID of the session that asks */
export function sessionSummaries(rows: readonly SessionRow[], own: string): SessionSummary[] {
  return rows.map((row) => ({
    id: row.id,
    current: row.id === own,
    signed_in_at: timestamp(row.signed_in_at),
    last_active_at: timestamp(row.last_active_at),
    expires_at: timestamp(row.expires_at),
    address: row.address,
    client: row.client,
  }));
}

/**
 * Whether an intent to end all other sessions was carried out: none from before it is left.
 * @param rows the sessions that haven't ended
 */
export function haveEnded(
  rows: readonly SessionRow[],
  { session_id, time }: Pick<AuditRow, 'session_id' | 'time'>,
): Became {
  const isLeft = rows.some((row) => row.id !== session_id && row.signed_in_at <= time);
  return { outcome: isLeft ? 'failed' : 'succeeded' };
}

/** The environments as the page gets them, without the services' addresses. */
export function environmentsAnswer({ environments }: Pick<Config, 'environments'>): Environment[] {
  const storeOf = (environment: string, service: ServiceName): string =>
    accountStore(environments, { environment, service });
  const controlled = environments.filter(({ services }) => services.access !== undefined);
  return environments.map(({ id, name, kind, services }) => ({
    id,
    name,
    kind,
    services: serviceNames.flatMap((service) => {
      const settings = services[service];
      return settings === undefined
        ? []
        : [{ service, methods: [...settings.signIn], account_store: storeOf(id, service) }];
    }),
    accounts: controlled
      .filter((other) => storeOf(other.id, 'access') === storeOf(id, 'access'))
      .map((other) => other.id),
  }));
}

/** Formats milliseconds since the epoch as RFC 3339. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
