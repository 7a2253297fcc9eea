import { serviceNames } from '@gatehouse/api-types/console/service';
import type { Environment, Session } from '@gatehouse/api-types/console/session';
import type { Config } from '#config/config.ts';
import type { Context } from '#operation/context.ts';
import { confirmedUntil } from '#session/confirmed.ts';
import { sessionLimits, type ActiveSession } from '#session/session.ts';

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

/** The environments as the page gets them, without the services' addresses. */
export function environmentsAnswer(config: Config): Environment[] {
  return config.environments.map(({ id, name, kind, sharedAccounts, services }) => ({
    id,
    name,
    kind,
    services: serviceNames.flatMap((service) => {
      const settings = services[service];
      return settings === undefined ? [] : [{ service, methods: [...settings.signIn] }];
    }),
    shared_accounts: sharedAccounts,
  }));
}

/** Formats milliseconds since the epoch as RFC 3339. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
