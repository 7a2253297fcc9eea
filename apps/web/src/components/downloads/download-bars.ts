/** Downloads over time, as bars of equal width. */

export interface DailyDownloads {
  /** `2026-11-22` */
  readonly date: string;
  /** Undefined if only the total is known. */
  readonly version?: string | undefined;
  readonly count: number;
}

export interface DownloadBar {
  /** The first day. */
  readonly date: string;
  readonly count: number;
  /** Downloaded versions, most downloads first. */
  readonly versions: readonly { readonly version: string; readonly count: number }[];
}

export interface DownloadBars {
  readonly unit: 'day' | 'week';
  /** Oldest first, without gaps, up to the given day. */
  readonly bars: readonly DownloadBar[];
}

const dayMs = 86_400_000;
/** Up to this many days, each day has a bar. */
const mostDays = 62;
/** One year. */
const mostWeeks = 53;

/**
 * @param today the last day
 * @param since the first day whose downloads are known, if there is one
 */
export function downloadBars(
  daily: readonly DailyDownloads[],
  today: string,
  since?: string | null,
): DownloadBars {
  const last = dayOf(today);
  const counted = daily
    .map(({ date, ...rest }) => ({ day: dayOf(date), ...rest }))
    .filter(({ day, count }) => Number.isFinite(day) && count > 0);
  const first = counted.reduce((least, { day }) => Math.min(least, day), last);
  const unit = last - first < mostDays ? 'day' : 'week';
  const length = unit === 'day' ? 1 : 7;
  const most = unit === 'day' ? mostDays : mostWeeks;
  // The last bar ends today, and new records still get a month of days.
  const known = since == null ? most : Math.max(1, Math.floor((last - dayOf(since) + 1) / length));
  const size = Math.min(
    most,
    known,
    Math.max(Math.floor((last - first) / length) + 1, unit === 'day' ? 30 : 1),
  );
  const groups = Map.groupBy(counted, ({ day }) => Math.floor((last - day) / length));
  const bars = Array.from({ length: size }, (_, index): DownloadBar => {
    const back = size - 1 - index;
    const versions = new Map<string, number>();
    let total = 0;
    for (const { version, count } of groups.get(back) ?? []) {
      total += count;
      if (version !== undefined) versions.set(version, (versions.get(version) ?? 0) + count);
    }
    return {
      date: new Date((last - back * length - (length - 1)) * dayMs).toISOString().slice(0, 10),
      count: total,
      versions: [...versions]
        .map(([version, count]) => ({ version, count }))
        .toSorted((a, b) => b.count - a.count || (a.version < b.version ? -1 : 1)),
    };
  });
  return { unit, bars };
}

function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs);
}
