/** Counts times in ranges of equal length. */
import type { Buckets } from './Histogram.tsx';

const hour = 3_600;
const day = 24 * hour;
/** Lengths of a range, in seconds. */
const steps = [60, 300, 900, hour, 3 * hour, 6 * hour, day, 2 * day, 7 * day];
const mostBars = 60;

/**
 * @param times milliseconds since the epoch
 * @param zone the one whose days and hours count
 */
export function bucketsOf(times: readonly number[], zone: 'local' | 'utc'): Buckets {
  if (times.length === 0) return { from: '', step: 60, counts: [] };
  const [first, last] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Infinity, -Infinity],
  );
  const ahead = zone === 'utc' ? 0 : new Date(first).getTimezoneOffset() * 60_000;
  const rangesOf = (seconds: number): readonly [from: number, bars: number] => {
    const step = seconds * 1_000;
    const from = Math.floor((first - ahead) / step) * step + ahead;
    return [from, Math.floor((last - from) / step) + 1];
  };
  // Two ranges more than the time between takes, because the first begins before its time.
  const long = Math.ceil((last - first) / 1_000 / (mostBars - 2) / day) * day;
  const step = steps.find((one) => rangesOf(one)[1] <= mostBars) ?? long;
  const [from, bars] = rangesOf(step);
  const counts = Array.from({ length: bars }, () => 0);
  for (const time of times) {
    const bar = Math.floor((time - from) / (step * 1_000));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return { from: new Date(from).toISOString(), step, counts };
}
