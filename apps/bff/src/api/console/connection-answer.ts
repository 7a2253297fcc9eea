import type { Connection, ConnectionState } from '@gatehouse/api-types/console/session';
import type { Context } from '#operation/context.ts';
import type { ToldConnection } from '#session/connections.ts';
import type { SignInService } from '#upstreams/directory.ts';
import type { Reachability } from '#upstreams/health.ts';
import { usualPasswordMount } from '#upstreams/secrets-server/client.ts';
import { timestamp } from './session-answer.ts';

/** A service from a session's point of view. @param row the session's connection; undefined without one */
export async function connectionAnswer(
  context: Context,
  service: SignInService,
  row: ToldConnection | undefined,
): Promise<Connection> {
  const health = await context.health.of(service);
  const state = stateOf(health, row, context.clock.now());
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
      state !== 'expired'
        ? health.detail
        : row?.unreadable === true
          ? "Your token can no longer be used: the service's address or the console's encryption key has changed. Sign in to the service again."
          : 'The service no longer accepts your token. Sign in to the service again.',
  };
}

function stateOf(
  health: Reachability,
  row: Pick<ToldConnection, 'refused' | 'unreadable' | 'expires_at'> | undefined,
  now: number,
): ConnectionState {
  if (health.sealed) return 'sealed';
  if (!health.reachable) return 'unreachable';
  if (row === undefined) return 'not-connected';
  if (row.unreadable || row.refused !== 0 || (row.expires_at !== null && row.expires_at <= now))
    return 'expired';
  return health.standby ? 'standby' : 'connected';
}
