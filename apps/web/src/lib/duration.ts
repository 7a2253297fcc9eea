/** Durations in words, and as users type them. */
import { readDuration } from '@gatehouse/api-types/console/read-duration';

const wordUnits: readonly (readonly [pattern: RegExp, unit: string])[] = [
  [/^d(?:ays?)?$/, 'd'],
  [/^h(?:(?:ou)?rs?)?$/, 'h'],
  [/^m(?:in(?:ute)?s?)?$/, 'm'],
  [/^s(?:ec(?:ond)?s?)?$/, 's'],
];

/** A typed duration in the servers' format: `1h30m` for `1 hour 30 min`. Valid or unknown text stays. */
export function tidyDuration(text: string): string {
  const written = text.trim();
  if (readDuration(written) !== undefined) return written;
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]+(?:\s+and\s+|[\s,]*))+$/i.test(written)) return text;
  const parts = [...written.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)].map(([, count = '', word = '']) => {
    const unit = wordUnits.find(([pattern]) => pattern.test(word.toLowerCase()))?.[1];
    // Some servers don't know days.
    return unit === undefined
      ? undefined
      : unit === 'd'
        ? `${String(Number(count) * 24)}h`
        : `${count}${unit}`;
  });
  return parts.includes(undefined) ? text : parts.join('');
}

const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** `30 days`, `1 day 12 hours`, `1 minute 30 seconds` for 90; `never` for none. Exact to the second. */
export function durationInWords(seconds: number): string {
  if (seconds <= 0) return 'never';
  if (seconds < 1) return 'under a second';
  let rest = Math.floor(seconds);
  const parts: string[] = [];
  for (const [size, name] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
