/** Seconds of each unit that a duration text may use. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** The longest duration of the field, about 292 years in seconds: what 63 bits of nanoseconds hold. */
export const longestDuration = 9_223_372_036;

/**
 * The seconds that a duration text stands for: whole seconds (`3600`), days (`30d`), or numbers with units
 * (`3h25m19s`, `1.5h`, `-1s`). Undefined when it is none of these or too long.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  if (/^[+-]?\d+$/.test(trimmed)) return bounded(Number(trimmed));
  const days = /^([+-]?\d+)d$/.exec(trimmed);
  if (days !== null) return bounded(Number(days[1]) * 24 * 3600);
  const negative = trimmed.startsWith('-');
  const unsigned = trimmed.replace(/^[+-]/, '');
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;
  let seconds = 0;
  while (part.lastIndex < unsigned.length) {
    const found = part.exec(unsigned);
    if (found === null) return undefined;
    seconds += Number(found[1]) * (units[found[2] ?? ''] ?? 0);
  }
  return bounded(negative ? -seconds : seconds);
}

function bounded(seconds: number): number | undefined {
  return Math.abs(seconds) <= longestDuration ? seconds : undefined;
}

/** A duration in the form of the field: `0s`, `1m30s`, `3h25m19s`. Fractions of a second are kept to the millisecond. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  const milliseconds = Math.round(Math.abs(seconds) * 1000);
  if (milliseconds === 0) return '0s';
  if (milliseconds < 1000) return `${sign}${milliseconds}ms`;
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const rest = `${(milliseconds % 60_000) / 1000}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${sign}${minutes}m${rest}` : `${sign}${rest}`;
}
