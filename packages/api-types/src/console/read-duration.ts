/** Reading lengths of time as people and secrets servers write them, without a schema. */

const written = /^(?:\d+|(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)$/;
const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of `3600`, `90s`, `36h0m0s`, `1.5h`, `500ms`; undefined where the text is no length of time. */
export function readDuration(text: string): number | undefined {
  const duration = text.trim();
  if (!written.test(duration)) return undefined;
  if (/^\d+$/.test(duration)) return Number(duration);
  let seconds = 0;
  for (const [, count = '', unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    seconds += Number(count) * (unitSeconds[unit] ?? 0);
  }
  return seconds;
}

/** What sums of decimal fractions may be off by, in seconds. */
const tolerance = 1e-6;

/** Whole seconds of a length of time; undefined where it has parts of one: servers count none, and 500ms would be never. */
export function wholeSeconds(text: string): number | undefined {
  const seconds = readDuration(text);
  if (seconds === undefined) return undefined;
  const whole = Math.round(seconds);
  return Math.abs(seconds - whole) < tolerance ? whole : undefined;
}
