import { formatAbsolute, formatRelative, type Instant, type TimeMode } from './formatTime.ts';
import { useNow } from './useNow.ts';

export interface TimestampProps {
  value: Instant;
  /** The person's choice; `relative` keeps the absolute time at hand on hover. */
  mode: TimeMode;
}

function machineTime(value: Instant): string | undefined {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** How long ago, or in how long; both clocks on hover. */
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

/** A time as the person wants it. */
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
