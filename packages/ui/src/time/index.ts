export { formatAbsolute, formatRelative, type Instant, type TimeMode } from './formatTime.ts';
export { RelativeTime, Timestamp, type TimestampProps } from './Timestamp.tsx';
export { useNow } from './useNow.ts';
