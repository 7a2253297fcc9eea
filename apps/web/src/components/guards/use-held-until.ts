import { formatAbsolute, useNow } from '@gatehouse/ui/time';
import { useZoneSetting } from '#queries/settings.ts';
import { useSession } from '../environment/use-environment.ts';

/** Until when a password that was entered again counts in an environment, as a time of day; undefined where it has to be entered. */
export function useHeldUntil(environment: string): string | undefined {
  const until = useSession().confirmed_until[environment];
  const [zone] = useZoneSetting();
  const now = useNow();
  if (until === undefined || Date.parse(until) <= now) return undefined;
  const time = formatAbsolute(until, zone).slice(11, 16);
  return zone === 'utc' ? `${time} UTC` : time;
}
