import { longestDuration, unitSeconds } from '../../core/duration.ts';

/** How long credentials of IAM users last; whole seconds, 0 for what the mount says. */
export interface LeaseTimes {
  readonly lease: number;
  readonly leaseMax: number;
}

/**
 * Reads a duration that must carry its unit, hours being the largest: `30m`, `1h15m`.
 * @returns seconds, or what is wrong with it
 */
export function parseSuffixedDuration(text: string): number | string {
  if (text === '0') return 0;
  // Every amount but the last has a unit behind it: with one way to read a text, reading takes no longer than its length.
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
  return Math.trunc(total);
}
