import { Card } from '@gatehouse/ui/card';
import { linkClass } from '@gatehouse/ui/link';
import { useNow } from '@gatehouse/ui/time';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '#components/errors/Loaded.tsx';
import { formatSpan } from '#components/sessions/outlive.ts';
import { noneOpen, quietClock, quietTime } from '#components/sessions/quiet-time.ts';
import type { AccessSessionList } from '#queries/access-sessions.ts';
import { useZoneSetting } from '#queries/settings.ts';

/** The number of live sessions on targets, and when the last visible one ends. */
export function LiveSessionsCard({
  environment,
  query,
}: {
  environment: string;
  query: UseQueryResult<AccessSessionList>;
}) {
  const now = useNow();
  const [zone] = useZoneSetting();
  const { at, live, pending } = quietTime(query.data?.items ?? [], now);
  return (
    <Card title="Sessions on targets">
      <Loaded query={query} label="Counting sessions">
        {({ isComplete }) => (
          <div className="flex flex-col gap-1">
            <p className="flex items-baseline gap-2">
              <Link
                to="/$environment/sessions"
                params={{ environment }}
                className={`text-title font-semibold ${linkClass({ tone: 'quiet' })}`}
              >
                {live.toLocaleString('en')}
                {!isComplete && ' or more'}
              </Link>
              <span className="text-ink-2">
                {live === 1 ? 'is' : 'are'} live
                {pending > 0 && `, ${pending.toLocaleString('en')} ${pending === 1 ? 'is' : 'are'} pending`}
              </span>
            </p>
            <p className="text-body text-ink-2">
              {at === undefined
                ? noneOpen
                : isComplete
                  ? `If no new sessions start, all sessions you can see end by ${quietClock(at, now, zone)} (in ${formatSpan(at - now)}).`
                  : 'Not all are listed, so the end of the last one is unknown.'}
            </p>
            <p className="text-body">
              <Link
                to="/$environment/sessions"
                params={{ environment }}
                search={{ ended: true }}
                className={linkClass({ tone: 'quiet' })}
              >
                Sessions over time
              </Link>
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
