import { buttonClass } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { linkClass } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Time } from '#components/environment/Time.tsx';
import { Failure } from '#components/errors/Failure.tsx';
import { newestBoxesQuery } from '#queries/boxes.ts';

const mostShown = 8;

/** Released boxes, most recently changed first. */
export function RecentBoxesCard({ environment }: { environment: string }) {
  const query = useQuery(newestBoxesQuery(environment));
  return (
    <Card
      isFlush
      title="Recently changed boxes"
      actions={
        <Link
          to="/$environment/boxes"
          params={{ environment }}
          search={{ sort: 'updated' }}
          className={buttonClass({ variant: 'ghost', size: 28 })}
        >
          All boxes
        </Link>
      }
    >
      {query.isPending && (
        <div className="px-4">
          <SkeletonList label="Loading boxes" lines={4} />
        </div>
      )}
      {query.isError && !query.data && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <p className="flex flex-wrap items-center gap-3 px-4 py-3 text-ink-2">
          No released boxes you can see.
          <Link
            to="/$environment/boxes/publish"
            params={{ environment }}
            className={buttonClass({ size: 28 })}
          >
            Publish a box
          </Link>
        </p>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul>
          {query.data
            .slice(0, mostShown)
            .map(({ tag, username, name, current_version: current, downloads, updated_time }) => (
              <li
                key={tag}
                className="flex items-baseline gap-4 border-b border-line px-4 py-1.5 last:border-b-0"
              >
                <Link
                  to="/$environment/boxes/owners/$username/$name"
                  params={{ environment, username, name }}
                  className={`min-w-0 flex-1 truncate ${linkClass({ tone: 'quiet' })}`}
                >
                  {tag}
                </Link>
                <span className="hidden min-w-0 flex-1 truncate text-ink-2 narrow:block">
                  {current?.version}
                </span>
                <span className="hidden w-36 shrink-0 text-ink-2 tabular-nums wide:block">
                  {downloads === 1 ? '1 download' : `${downloads.toLocaleString('en')} downloads`}
                </span>
                <span className="shrink-0 text-end text-ink-2 narrow:w-32">
                  <Time value={updated_time} isRelative />
                </span>
              </li>
            ))}
        </ul>
      )}
    </Card>
  );
}
