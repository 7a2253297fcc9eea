import type { Connection, ConnectionState } from '@gatehouse/api-types/console/session';
import { noRoleAt } from '#ground/service-nouns.ts';
import type { Context } from '#operation/context.ts';
import type { ToldConnection } from '#session/connections.ts';
import type { SignInService } from '#upstreams/directory.ts';
import type { Reachability } from '#upstreams/health.ts';
import { usualPasswordMount } from '#upstreams/secrets-server/client.ts';
import { timestamp } from './session-answer.ts';

/** What a session knows of its services. @returns a function that describes a service from its point of view */
export async function connectionsOf(context: Context, sessionId: string) {
  const rows = await context.connections.of(sessionId);
  const denials = await context.connections.denials(sessionId);
  return async (service: SignInService): Promise<Connection> => {
    const row = rows.find(
      (one) => one.environment === service.environment && one.service === service.service,
    );
    const isDenied =
      denials.has(`${service.environment}/${service.service}`) &&
      !(await hasRoleNow(context, service, sessionId));
    return connectionAnswer(context, service, row, isDenied);
  };
}

/** Whether the connected account of a session, which had no role, has one now. */
async function hasRoleNow(
  { connections }: Context,
  { environment, service, hasRole }: SignInService,
  sessionId: string,
): Promise<boolean> {
  if (hasRole === undefined) return false;
  const kept = await connections.token(sessionId, environment, service);
  if (typeof kept === 'string' || (await hasRole(kept.token)) !== true) return false;
  await connections.admit(sessionId, environment, service);
  return true;
}

async function connectionAnswer(
  context: Context,
  service: SignInService,
  row: ToldConnection | undefined,
  isDenied: boolean,
): Promise<Connection> {
  const health = await context.health.of(service);
  const state = stateOf(health, row, isDenied, context.clock.now());
  const { endpoint } = service.config;
  return {
    environment: service.environment,
    service: service.service,
    state,
    address: endpoint.kind === 'url' ? endpoint.url.href : 'embedded',
    methods: [...service.config.signIn],
    account: row === undefined ? null : { id: row.account_id, name: row.account_name },
    version: health.version,
    product: endpoint.kind === 'socket' && service.service === 'secrets' ? 'built-in' : health.product,
    namespace: service.config.namespace ?? null,
    sign_in_mount:
      service.service === 'secrets' ? (service.config.passwordMount ?? usualPasswordMount) : null,
    connected_at: row === undefined ? null : timestamp(row.connected_at),
    expires_at: row === undefined || row.expires_at === null ? null : timestamp(row.expires_at),
    checked_at: timestamp(health.checkedAt),
    detail:
      state === 'no-access'
        ? noRoleAt(service.service)
        : state !== 'expired'
          ? health.detail
          : row?.unreadable === true
            ? "Your token can no longer be used: the service's address or the console's encryption key has changed. Sign in to the service again."
            : 'The service no longer accepts your token. Sign in to the service again.',
  };
}

/** Whether a connection's token can still be used, as far as the console knows. */
export function isUsable(
  { unreadable, refused, expires_at }: Pick<ToldConnection, 'refused' | 'unreadable' | 'expires_at'>,
  now: number,
): boolean {
  return !unreadable && refused === 0 && (expires_at === null || expires_at > now);
}

function stateOf(
  health: Reachability,
  row: Pick<ToldConnection, 'refused' | 'unreadable' | 'expires_at'> | undefined,
  isDenied: boolean,
  now: number,
): ConnectionState {
  if (health.sealed) return 'sealed';
  if (!health.reachable) return 'unreachable';
  if (row === undefined) return isDenied ? 'no-access' : 'not-connected';
  if (!isUsable(row, now)) return 'expired';
  if (isDenied) return 'no-access';
  return health.standby ? 'standby' : 'connected';
}
