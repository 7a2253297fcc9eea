import { RelativeTime, Timestamp } from '@gatehouse/ui/time';
import { useZoneSetting } from '#queries/settings.ts';

/** A time in the user's time zone; with `isRelative`, how long ago, with both time zones on hover. */
export function Time({ value, isRelative = false }: { value: string | number; isRelative?: boolean }) {
  return isRelative ? <RelativeTime value={value} /> : <AbsoluteTime value={value} />;
}

function AbsoluteTime({ value }: { value: string | number }) {
  const [zone] = useZoneSetting();
  return <Timestamp value={value} mode={zone} />;
}
