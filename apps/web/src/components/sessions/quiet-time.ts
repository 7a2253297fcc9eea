import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { formatAbsolute } from '@gatehouse/ui/time';

/** Whether a session may still carry connections. */
export function isLive({ status }: Pick<AccessSession, 'status'>): boolean {
  return status !== 'terminated';
}

export interface QuietTime {
  /** When the last live session expires, in ms; undefined if none is live. */
  readonly at: number | undefined;
  readonly live: number;
  /** When each of them expires, in ms, earliest first. */
  readonly ends: readonly number[];
}

/** The time after which no session lasts, if none is started. Invalid times are ignored. */
export function quietTime(
  sessions: readonly Pick<AccessSession, 'status' | 'expiration_time'>[],
  now: number,
): QuietTime {
  const live = sessions.filter(isLive);
  const ends = live
    .map(({ expiration_time: time }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
    // An overdue session is about to be reported as ended.
    .map((time) => Math.max(time, now))
    .toSorted((a, b) => a - b);
  return { at: ends.at(-1), live: live.length, ends };
}

/** `14:32`, with the date if it isn't today, and the time zone if it isn't local. */
export function quietClock(at: number, now: number, zone: 'local' | 'utc'): string {
  const [day = '', time = ''] = formatAbsolute(at, zone).split(' ');
  const [today] = formatAbsolute(now, zone).split(' ');
  return [...(day === today ? [] : [day]), time.slice(0, 5), ...(zone === 'utc' ? ['UTC'] : [])].join(' ');
}
