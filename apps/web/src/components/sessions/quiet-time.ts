import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { formatAbsolute } from '@gatehouse/ui/time';

/** Whether a session may carry connections, now or later. */
export function isOpen({ status }: Pick<AccessSession, 'status'>): boolean {
  return status !== 'terminated';
}

/** True for everyone: the controller doesn't report whether a user can see other users' sessions. */
export const noneOpen = 'No open sessions that you can see.';

/** `2 are live` and `1 is pending`, with the state to filter by: pending sessions wait for their first connection. */
export function openWords({
  live,
  pending,
}: Pick<QuietTime, 'live' | 'pending'>): readonly { words: string; status: 'active' | 'pending' }[] {
  const words = (count: number, state: string): string =>
    `${count.toLocaleString('en')} ${count === 1 ? 'is' : 'are'} ${state}`;
  return [
    { words: words(live, 'live'), status: 'active' },
    ...(pending === 0 ? [] : [{ words: words(pending, 'pending'), status: 'pending' as const }]),
  ];
}

export interface QuietTime {
  /** When the last open session expires, in ms; undefined if none is open. */
  readonly at: number | undefined;
  readonly live: number;
  readonly pending: number;
  /** When each of them expires, in ms, earliest first. */
  readonly ends: readonly number[];
}

/** The time after which no session lasts, if none is started. Invalid times are ignored. */
export function quietTime(
  sessions: readonly Pick<AccessSession, 'status' | 'expiration_time'>[],
  now: number,
): QuietTime {
  const open = sessions.filter(isOpen);
  const pending = open.filter(({ status }) => status === 'pending').length;
  const ends = open
    .map(({ expiration_time: time }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
    // An overdue session is about to be reported as ended.
    .map((time) => Math.max(time, now))
    .toSorted((a, b) => a - b);
  return { at: ends.at(-1), live: open.length - pending, pending, ends };
}

/** `14:32`, with the date if it isn't today, and the time zone if it isn't local. */
export function quietClock(at: number, now: number, zone: 'local' | 'utc'): string {
  const [day = '', time = ''] = formatAbsolute(at, zone).split(' ');
  const [today] = formatAbsolute(now, zone).split(' ');
  return [...(day === today ? [] : [day]), time.slice(0, 5), ...(zone === 'utc' ? ['UTC'] : [])].join(' ');
}
