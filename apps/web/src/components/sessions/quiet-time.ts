import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { formatAbsolute } from '@gatehouse/ui/time';

/** Whether a session may still carry connections. */
export function isLive({ status }: Pick<AccessSession, 'status'>): boolean {
  return status !== 'terminated';
}

export interface QuietTime {
  /** When the last of the live sessions ends by itself, in ms; undefined when it is quiet already. */
  readonly at: number | undefined;
  readonly live: number;
  /** When each of them ends, in ms, the first first. */
  readonly ends: readonly number[];
}

/** If nothing new starts: the time after which no session lasts. A time that cannot be read is left out. */
export function quietTime(
  sessions: readonly Pick<AccessSession, 'status' | 'expiration_time'>[],
  now: number,
): QuietTime {
  const live = sessions.filter(isLive);
  const ends = live
    .map(({ expiration_time: time }) => Date.parse(time))
    .filter((time) => !Number.isNaN(time))
    // One whose time is over is about to be told as ended.
    .map((time) => Math.max(time, now))
    .toSorted((a, b) => a - b);
  return { at: ends.at(-1), live: live.length, ends };
}

/** `14:32`, with the day when it is another one, and the zone when it is not this machine's. */
export function quietClock(at: number, now: number, zone: 'local' | 'utc'): string {
  const [day = '', time = ''] = formatAbsolute(at, zone).split(' ');
  const [today] = formatAbsolute(now, zone).split(' ');
  return [...(day === today ? [] : [day]), time.slice(0, 5), ...(zone === 'utc' ? ['UTC'] : [])].join(' ');
}
