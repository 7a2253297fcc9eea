/** Formats of times: this machine's time zone, UTC, or relative to now. */
export type TimeMode = 'local' | 'utc' | 'relative';

/** A point in time: an RFC 3339 text, milliseconds since 1970, or a Date. */
export type Instant = string | number | Date;

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** `2026-11-20 16:09:54`, with ` UTC` appended if requested. Sorts as text and is the same in every locale. */
export function formatAbsolute(instant: Instant, zone: 'local' | 'utc'): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return 'Unknown time';
  if (zone === 'utc') return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${day} ${time}`;
}

interface Step {
  readonly unit: Intl.RelativeTimeFormatUnit;
  readonly seconds: number;
  readonly until: number;
}

const steps: readonly Step[] = [
  { unit: 'second', seconds: 1, until: 60 },
  { unit: 'minute', seconds: 60, until: 3_600 },
  { unit: 'hour', seconds: 3_600, until: 86_400 },
  { unit: 'day', seconds: 86_400, until: 86_400 * 30 },
  { unit: 'month', seconds: 86_400 * 30, until: 86_400 * 365 },
  { unit: 'year', seconds: 86_400 * 365, until: Infinity },
];

/** Creating a formatter takes longer than the rest of a list row. */
const relativeFormats = new Map<string | undefined, Intl.RelativeTimeFormat>();

function relativeFormat(locale: string | undefined): Intl.RelativeTimeFormat {
  const known = relativeFormats.get(locale);
  if (known !== undefined) return known;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  relativeFormats.set(locale, format);
  return format;
}

/** `3 minutes ago`, `in 2 hours`, `just now` within ten seconds, rounded to the nearest unit. */
export function formatRelative(instant: Instant, now: number, locale?: string): string {
  const time = new Date(instant).getTime();
  if (Number.isNaN(time)) return 'Unknown time';
  const seconds = (time - now) / 1_000;
  if (Math.abs(seconds) < 10) return 'just now';
  // 59.6 minutes are one hour, not 60 minutes.
  const rounded = (step: Step): number => Math.round(seconds / step.seconds);
  const step = steps.find((one) => Math.abs(rounded(one)) * one.seconds < one.until);
  if (step === undefined) return 'Unknown time';
  return relativeFormat(locale).format(rounded(step), step.unit);
}
