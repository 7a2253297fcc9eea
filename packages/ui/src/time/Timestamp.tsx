import { formatAbsolute, formatRelative, type Instant, type TimeMode } from './formatTime.ts';
import { useNow } from './useNow.ts';

export interface TimestampProps {
  value: Instant;
  /** The user's choice; `relative` shows the absolute time on hover. */
  mode: TimeMode;
}

function machineTime(value: Instant): string | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A relative time, with local time and UTC on hover. */
export function RelativeTime({ value }: { value: Instant }) {
  const now = useNow();
  return (
    <time
      dateTime={machineTime(value)}
      title={`${formatAbsolute(value, 'local')} (local)\n${formatAbsolute(value, 'utc')}`}
      className="whitespace-nowrap"
    >
      {formatRelative(value, now)}
    </time>
  );
}

/** A time in the form that the user prefers. */
export function Timestamp({ value, mode }: TimestampProps) {
  if (mode === 'relative') return <RelativeTime value={value} />;
  return (
    <time
      dateTime={machineTime(value)}
      title={formatAbsolute(value, mode === 'utc' ? 'local' : 'utc')}
      className="whitespace-nowrap"
    >
      {formatAbsolute(value, mode)}
    </time>
  );
}
