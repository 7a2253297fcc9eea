import type { AccessSession } from '@gatehouse/api-types/console/access-sessions';
import { Icon } from '@gatehouse/ui/icon';
import { Link } from '@gatehouse/ui/link';
import { useNow } from '@gatehouse/ui/time';
import { Moon } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { formatSpan } from '#components/sessions/outlive.ts';
import { noneOpen, openWords, quietClock, quietTime } from '#components/sessions/quiet-time.ts';
import { useZoneSetting } from '#queries/settings.ts';

const width = 240;

/** When the last session ends if no new one starts. Counts only sessions you can see, which may be just your own. */
export function QuietTime({ sessions }: { sessions: readonly AccessSession[] }) {
  const now = useNow();
  const environment = useEnvironment();
  const [zone] = useZoneSetting();
  const quiet = quietTime(sessions, now);
  const { at, ends } = quiet;
  if (at === undefined) return <Line>{noneOpen}</Line>;
  const span = Math.max(at - now, 1);
  return (
    <Line>
      <span className="min-w-0">
        If no new sessions start, all sessions you can see end by{' '}
        <strong className="font-medium text-ink-1">{quietClock(at, now, zone)}</strong>{' '}
        <span className="text-meta">
          (in {formatSpan(at - now)};{' '}
          {openWords(quiet).map(({ words, status }, index) => (
            <Fragment key={status}>
              {index > 0 && ', '}
              <Link href={`/${environment.id}/sessions?status=${status}`}>{words}</Link>
            </Fragment>
          ))}
          )
        </span>
      </span>
      <svg
        width={width}
        height={16}
        viewBox={`0 0 ${String(width)} 16`}
        aria-hidden
        className="ms-auto hidden shrink-0 text-accent wide:block"
      >
        <path d={`M0 8.5H${String(width)}`} className="stroke-line" />
        {[...new Set(ends.map((end) => Math.round(((end - now) / span) * (width - 2))))].map((x) => (
          <path key={x} d={`M${String(x + 1)} 3.5v10`} stroke="currentColor" strokeWidth={1.5} />
        ))}
      </svg>
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-9 items-center gap-2 border-b border-line bg-surface px-4 py-1.5 text-body text-ink-2">
      <Icon icon={Moon} className="text-ink-3" />
      {children}
    </p>
  );
}
