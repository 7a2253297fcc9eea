import { formatAbsolute, useNow } from '@gatehouse/ui/time';
import { useZoneSetting } from '#queries/settings.ts';
import { useSession } from '../layout/use-environment.ts';

/** Until when a password that was entered again counts, as a time of day; undefined where it has to be entered. */
export function useHeldUntil(): string | undefined {
  const { confirmed_until: until } = useSession();
  const [zone] = useZoneSetting();
  const now = useNow();
  if (until === null || Date.parse(until) <= now) return undefined;
  const time = formatAbsolute(until, zone).slice(11, 16);
  return zone === 'utc' ? `${time} UTC` : time;
}
