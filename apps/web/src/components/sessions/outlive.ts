/** "Will it outlive me?": compares how long a service's token lasts with the session. */
import type { Connection, Session } from '@gatehouse/api-types/console/session';

export interface Outlived {
  readonly connection: Connection;
  /** How much earlier than the session its token expires, in ms. */
  readonly byMs: number;
}

/** The services whose tokens expire before the session's hard limit, earliest first. */
export function endingBefore(
  session: Pick<Session, 'expires_at'>,
  connections: readonly Connection[],
): readonly Outlived[] {
  const end = Date.parse(session.expires_at);
  return connections
    .filter(({ state, expires_at }) => state === 'connected' && expires_at !== null)
    .map((connection) => ({ connection, byMs: end - Date.parse(connection.expires_at ?? '') }))
    .filter(({ byMs }) => byMs > 0)
    .sort((a, b) => b.byMs - a.byMs);
}

/** `50 min`, `3 h 20 min`, `2 d 4 h`: at most two units, rounded down. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const parts: [number, string][] = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return 'under 1 min';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${String(count)} ${unit}`)
    .join(' ');
}
