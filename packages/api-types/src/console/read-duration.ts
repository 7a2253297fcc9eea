/** Parses durations as users and secrets servers write them, without a schema. */

const written = /^(?:\d+|(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)$/;
const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds in a duration such as `3600`, `90s`, `36h0m0s`, `1.5h`, `500ms`; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  const duration = text.trim();
  if (!written.test(duration)) return undefined;
  if (/^\d+$/.test(duration)) return Number(duration);
  let seconds = 0;
  for (const [, count = '', unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)) {
    seconds += Number(count) * (unitSeconds[unit] ?? 0);
  }
  return seconds;
}

/** Largest rounding error of a sum of decimal fractions, in seconds. */
const tolerance = 1e-6;

/** Whole seconds of a duration; undefined for fractions of a second, which servers drop: 500ms would mean never. */
export function wholeSeconds(text: string): number | undefined {
  const seconds = readDuration(text);
  if (seconds === undefined) return undefined;
  const whole = Math.round(seconds);
  return Math.abs(seconds - whole) < tolerance ? whole : undefined;
}
