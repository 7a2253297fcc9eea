/** The longest duration in seconds, about 292 years: 63 bits of nanoseconds, as in Vault. */
export const longestDuration = 9_223_372_036;

/** The maximum length of a duration's text in characters. */
export const longestDurationText = 100;

/** The length of each unit in seconds. */
export const unitSeconds: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
};

/**
 * Parses a duration in Vault's format: a number of seconds (`90`, `"90"`) or a text with units (`3h25m19s`, `1.5h`,
 * `2d`). An empty text is 0.
 * @returns seconds; undefined if the value is invalid, longer than 292 years, or a text of more than 100 characters
 */
export function parseDuration(value: unknown): number | undefined {
  const seconds = readDuration(value);
  return seconds !== undefined && Math.abs(seconds) <= longestDuration ? seconds : undefined;
}

function readDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > longestDurationText) return undefined;
  const text = value.trim();
  if (text === '') return 0;
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const whole = /^([+-]?)((?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h|d))+)$/.exec(text);
  if (whole === null) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of (whole[2] ?? '').matchAll(/(\d+(?:\.\d*)?)(ns|us|µs|ms|[smhd])/gy)) {
    seconds += Number(amount) * (unitSeconds[unit ?? ''] ?? 0);
  }
  return whole[1] === '-' ? -seconds : seconds;
}

/** Cuts a duration to whole seconds. Less than a second becomes one, because 0 often means no limit or the default. */
export function wholeSeconds(seconds: number): number {
  const whole = Math.trunc(seconds);
  return whole === 0 ? Math.sign(seconds) : whole;
}

/** Formats a duration of whole seconds as Vault does: `3h25m19s`, `1m0s`, `0s`. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  const all = Math.abs(seconds);
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor((all % 3600) / 60);
  const rest = `${all % 60}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}`;
  if (minutes > 0) return `${sign}${minutes}m${rest}`;
  return sign + rest;
}
