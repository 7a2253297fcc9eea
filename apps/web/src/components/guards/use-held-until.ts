import { formatAbsolute, useNow } from '@gatehouse/ui/time';
import { useZoneSetting } from '#queries/settings.ts';
import { useSession } from '../environment/use-environment.ts';

/** The time of day until which a password confirmation holds in an environment; undefined if none does. */
export function useHeldUntil(environment: string): string | undefined {
  const until = useSession().confirmed_until[environment];
  const [zone] = useZoneSetting();
  const now = useNow();
  if (until === undefined || Date.parse(until) <= now) return undefined;
  const time = formatAbsolute(until, zone).slice(11, 16);
  return zone === 'utc' ? `${time} UTC` : time;
}
