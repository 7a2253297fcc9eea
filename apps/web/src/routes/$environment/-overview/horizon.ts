/** The horizon: everything that expires, on a time axis that is wide near now and narrow far away. */
import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import type { SecretDate } from '@gatehouse/api-types/console/secret-metadata';
import type { Connection, Session, SessionSummary } from '@gatehouse/api-types/console/session';
import { nameOf, secretHref } from '#components/places/secrets.ts';
import { isOpen } from '#components/sessions/quiet-time.ts';
import { nameOr } from '#components/sessions/session-words.ts';
import { serviceLabels } from '#lib/error-words.ts';

export interface Ending {
  readonly id: string;
  readonly label: string;
  /** Where it is renewed, ended or canceled. */
  readonly href: string;
  /** In ms since the epoch. */
  readonly at: number;
  readonly kind: 'session' | 'token' | 'access-session' | 'secret';
  /** True if activity extends it. */
  readonly isMoving?: true;
}

/** The fields of a session on a target. */
type EndingSession = Pick<
  AccessSession,
  'id' | 'status' | 'user_id' | 'user_name' | 'target_id' | 'target_name' | 'expiration_time'
>;

/** Sessions on targets to list, and dates of secrets: those that are next. */
const mostOfKind = 5;

/**
 * Everything that expires, soonest first, without what has already expired: the user's console sessions and tokens, the
 * next sessions on targets, and the next dates of secrets.
 */
export function endings(
  environment: string,
  session: Pick<Session, 'environments' | 'idle_expires_at' | 'expires_at'>,
  connections: readonly Connection[],
  sessions: readonly SessionSummary[],
  accessSessions: readonly EndingSession[],
  dates: readonly SecretDate[],
  now: number,
): readonly Ending[] {
  const environmentName = (id: string): string =>
    session.environments.find((item) => item.id === id)?.name ?? id;
  const ownSessions = `/${environment}/connections#sessions`;
  const all: Ending[] = [
    {
      id: 'idle',
      label: 'Your session: idle timeout',
      href: ownSessions,
      at: Date.parse(session.idle_expires_at),
      kind: 'session',
      isMoving: true,
    },
    {
      id: 'session',
      label: 'Your session: hard limit',
      href: ownSessions,
      at: Date.parse(session.expires_at),
      kind: 'session',
    },
    ...connections
      .filter(({ state, expires_at }) => state === 'connected' && expires_at !== null)
      .map((item): Ending => ({
        id: `${item.environment} ${item.service}`,
        label: `${serviceLabels[item.service]} token, ${environmentName(item.environment)}`,
        href: `/${item.environment}/connections`,
        at: Date.parse(item.expires_at ?? ''),
        kind: 'token',
      })),
    ...sessions
      .filter(({ current }) => !current)
      .map((item): Ending => ({
        id: item.id,
        label: `Session in ${item.client}`,
        href: ownSessions,
        at: Date.parse(item.expires_at),
        kind: 'session',
      })),
    ...accessSessions
      .filter(isOpen)
      .map((item): Ending => ({
        id: item.id,
        label: `${nameOr(item.user_name, item.user_id)} on ${nameOr(item.target_name, item.target_id)}`,
        href: `/${environment}/sessions?session=${encodeURIComponent(item.id)}`,
        at: Date.parse(item.expiration_time),
        kind: 'access-session',
      }))
      .filter(({ at }) => at > now)
      .sort((a, b) => a.at - b.at)
      .slice(0, mostOfKind),
    ...dates
      .map((item): Ending => ({
        id: `${item.mount}/${item.path} ${item.kind}`,
        label: `${item.kind === 'expires' ? 'Expiry' : 'Rotation'} of ${nameOf(item.path)}`,
        href: secretHref({ environment, ...item }),
        at: Date.parse(item.at),
        kind: 'secret',
      }))
      .filter(({ at }) => at > now)
      .slice(0, mostOfKind),
  ];
  return all.filter(({ at }) => at > now).sort((a, b) => a.at - b.at);
}

const minute = 60_000;

/** The axis's marks, in ms from now. */
export const horizonMarks = [
  { ms: 0, label: 'now' },
  { ms: 15 * minute, label: '15 min' },
  { ms: 60 * minute, label: '1 h' },
  { ms: 4 * 60 * minute, label: '4 h' },
  { ms: 8 * 60 * minute, label: '8 h' },
  { ms: 24 * 60 * minute, label: '1 day' },
  { ms: 7 * 24 * 60 * minute, label: '1 week' },
  { ms: 30 * 24 * 60 * minute, label: '1 month' },
] as const;

/** The end of the axis: the first mark past everything that expires. */
export function horizonEnd(list: readonly Pick<Ending, 'at'>[], now: number): number {
  const last = Math.max(0, ...list.map(({ at }) => at - now));
  return horizonMarks.find(({ ms }) => ms > 0 && ms >= last)?.ms ?? last;
}

/** The position on an axis that ends at `end`, from 0 for now to 1; logarithmic from about five minutes. */
export function horizonPosition(ms: number, end: number): number {
  const knee = 5 * minute;
  const scale = (value: number): number => Math.log1p(Math.max(0, value) / knee);
  return end <= 0 ? 0 : Math.min(1, scale(ms) / scale(end));
}
