import { longestDuration, longestDurationText, unitSeconds, wholeSeconds } from '../../core/duration.ts';

/** The default and maximum lifetime of IAM users' credentials in seconds; 0 uses the mount's setting. */
export interface LeaseTimes {
  readonly lease: number;
  readonly leaseMax: number;
}

/**
 * Parses a duration whose amounts all have a unit, of which `h` is the largest: `30m`, `1h15m`.
 * @returns seconds, or the error message
 */
export function parseSuffixedDuration(text: string): number | string {
  if (text === '0') return 0;
  if (text.length > longestDurationText)
    return `time: invalid duration: more than ${longestDurationText} characters`;
  // Requires a unit after every amount but the last. The pattern can match in only one way, so it can't backtrack.
  if (!/^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)[^\d.]+)*(?:\d+(?:\.\d*)?|\.\d+)[^\d.]*$/.test(text)) {
    return `time: invalid duration ${JSON.stringify(text)}`;
  }
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/g)) {
    const factor = unit === 'd' ? undefined : unitSeconds[unit];
    if (unit === '') return `time: missing unit in duration ${JSON.stringify(text)}`;
    if (factor === undefined) {
      return `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`;
    }
    total += Number(amount) * factor;
  }
  if (text.startsWith('-') || total > longestDuration)
    return `time: invalid duration ${JSON.stringify(text)}`;
  return wholeSeconds(total);
}
