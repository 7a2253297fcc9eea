import { SegmentedControl } from '@gatehouse/ui/segmented-control';
import { useNow } from '@gatehouse/ui/time';
import { useState } from 'react';
import { counted } from '#lib/counted.ts';
import { downloadBars, type DailyDownloads, type DownloadBars } from './download-bars.ts';

const height = 120;
const barWidth = 12;
const gap = 3;

/** Downloads over time, as a chart or as a table with versions. */
export function DownloadsChart({
  daily,
  since,
}: {
  daily: readonly DailyDownloads[];
  /** The first day whose downloads are known. */
  since?: string | null;
}) {
  const today = new Date(useNow()).toISOString().slice(0, 10);
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const shown = downloadBars(daily, today, since);
  return (
    <div className="flex flex-col gap-2">
      <SegmentedControl
        label="Downloads as"
        value={view}
        onChange={setView}
        segments={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
      />
      {view === 'chart' ? <Chart {...shown} /> : <Table {...shown} />}
    </div>
  );
}

function Chart({ unit, bars }: DownloadBars) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const width = bars.length * (barWidth + gap);
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const busiest = bars.find(({ count }) => count === most);
  return (
    <figure className="min-w-0">
      <svg
        role="img"
        aria-label={
          total === 0
            ? `No downloads in ${counted(bars.length, unit)}.`
            : `Downloads by ${unit}: ${total.toLocaleString('en')} in ${counted(bars.length, unit)}, peak ${most.toLocaleString('en')} (${busiest?.date ?? ''}).`
        }
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-30 w-full"
      >
        <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
        {bars.map(({ date, count }, index) => {
          const tall = count === 0 ? 0 : Math.max(2, (count / most) * (height - 4));
          return (
            <rect
              key={date}
              x={index * (barWidth + gap)}
              y={height - tall}
              width={barWidth}
              height={tall}
              className="fill-accent"
            >
              <title>{`${date}: ${counted(count, 'download')}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="flex justify-between gap-4 text-meta text-ink-2 tabular-nums">
        <span>{bars[0]?.date}</span>
        <span>
          By {unit}, {total === 0 ? 'none' : `peak ${most.toLocaleString('en')}`}
        </span>
        <span>{bars.at(-1)?.date}</span>
      </figcaption>
    </figure>
  );
}

function Table({ unit, bars }: DownloadBars) {
  const hasVersions = bars.some(({ versions }) => versions.length > 0);
  return (
    <div
      className="relative max-h-80 overflow-auto rounded-control border border-line -outline-offset-2!"
      role="region"
      aria-label={`Downloads by ${unit}`}
      tabIndex={0}
    >
      <table className="w-full border-collapse text-body">
        <caption className="sr-only">Downloads by {unit}</caption>
        <thead>
          <tr className="border-b border-line text-start font-mono text-caps text-ink-2 uppercase">
            <th scope="col" className="h-8 px-3 text-start font-normal">
              {unit === 'day' ? 'Day' : 'Week of'}
            </th>
            <th scope="col" className="px-3 text-end font-normal">
              Downloads
            </th>
            {hasVersions && (
              <th scope="col" className="w-full px-3 text-start font-normal">
                Versions
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ date, count, versions }) => (
            <tr key={date} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1 text-start font-normal whitespace-nowrap tabular-nums">
                {date}
              </th>
              <td className="px-3 text-end tabular-nums">{count.toLocaleString('en')}</td>
              {hasVersions && (
                <td className="px-3 text-ink-2 wrap-anywhere">
                  {versions.map((one) => `${one.version} (${one.count.toLocaleString('en')})`).join(', ')}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
